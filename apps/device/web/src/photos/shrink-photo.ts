/** Length of the longer side in pixels: enough for a phone, and a tenth of its camera's resolution. */
const MAX_EDGE = 1_280
const QUALITY = 0.8

/** Shrinks a picture for slow networks. Throws if the file is not a picture. */
export async function shrinkPhoto(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('This browser cannot read this file as a picture. Choose a JPEG, PNG or WebP file.')
  })
  try {
    const scale = Math.min(1, MAX_EDGE / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('This browser cannot resize pictures. Use another one.')
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    return await asJpeg(canvas)
  } finally {
    picture.close()
  }
}

const asJpeg = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      blob => (blob ? resolve(blob) : reject(new Error('This picture could not be resized. Choose another one.'))),
      'image/jpeg',
      QUALITY,
    ),
  )
