/** Names the product behind the demo, and links to its other pages on this server. */
export const About = () => (
  <footer className="about">
    <p>
      Field Visits is a demo of <strong>Godwit</strong>, offline-first sync for TypeScript apps.
    </p>
    <nav aria-label="Godwit">
      <a href="./console">Console</a>
      <a href="./docs">API documentation</a>
    </nav>
  </footer>
)
