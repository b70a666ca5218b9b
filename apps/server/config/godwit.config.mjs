/** What the containers of compose.yaml serve: change it to your sources (docs/sources.md). As it is, a source comes into being when a backend first pushes to it. */
export default { dynamicSources: true }
