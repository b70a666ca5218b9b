/** The latitudes that the map shows, in degrees: where people live. */
const NORTH = 80
const SOUTH = -58

const mercator = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))
const TOP = mercator(NORTH)
const SPAN = TOP - mercator(SOUTH)

/** Width of the map divided by its height. */
export const ASPECT = (2 * Math.PI) / SPAN

/** Returns a longitude as a share of the map's width. */
export const toX = (longitude: number): number => (longitude + 180) / 360

/** Returns a latitude as a share of the map's height, in the Mercator projection. */
export const toY = (latitude: number): number => (TOP - mercator(latitude)) / SPAN

/** Returns the longitude and latitude at shares of the map's width and height. */
export const toPlace = (x: number, y: number) => ({
  longitude: x * 360 - 180,
  latitude: (Math.atan(Math.exp(TOP - y * SPAN)) * 360) / Math.PI - 90,
})
