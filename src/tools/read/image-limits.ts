/** What the API takes of one image. A larger one would fail every later request of the session. */

/** 5 MB of base64. */
export const MAX_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4
/** In each direction. */
export const MAX_IMAGE_PIXELS = 8000
/** The same in a conversation with more than 20 images. Models see no more than this anyway. */
export const MAX_PIXELS_OF_MANY_IMAGES = 2000
