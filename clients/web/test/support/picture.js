// Pictures of a page, compared with those that are kept in docs/images.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = new URL('../../../../docs/images/', import.meta.url)

/** In a page: how much of two pictures differs, in blocks of 8 pixels, so that fonts may draw otherwise. */
async function difference(...pictures) {
  const read = async (data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const { width, height } = bitmap
    const canvas = new OffscreenCanvas(width >> 3, height >> 3)
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, width >> 3, height >> 3)
    return { width, height, pixels: context.getImageData(0, 0, width >> 3, height >> 3).data }
  }
  const [a, b] = await Promise.all(pictures.map(read))
  if (a.width !== b.width || a.height !== b.height) return 1
  const differs = a.pixels.filter((value, at) => Math.abs(value - b.pixels[at]) > 40)
  return differs.length / a.pixels.length
}

/**
 * Takes a picture of what a page shows, and returns how much it differs from the one that is kept, from
 * 0 to 1; nothing if that is missing or `UPDATE_IMAGES` is set: then the new one is kept.
 */
export async function compare(page, blank, name) {
  const { data } = await page.send('Page.captureScreenshot', { format: 'png' })
  const file = new URL(name, folder)
  if (process.env.UPDATE_IMAGES || !existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    return writeFileSync(file, Buffer.from(data, 'base64'))
  }
  return blank.call(difference, data, readFileSync(file).toString('base64'))
}
