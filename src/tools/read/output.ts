/** What Read gives back to hosts, by kind of file. */

export type FileReadOutput =
  | {
      type: 'text'
      file: {
        /** As it was asked for. */
        filePath: string
        /** The lines that were returned, joined by `\n`, without numbers. */
        content: string
        /** How many lines that is. */
        numLines: number
        /** Number of the first of them. */
        startLine: number
        /** How many lines the file has. */
        totalLines: number
      }
    }
  | {
      type: 'image'
      file: {
        /** The image, base64. */
        base64: string
        /** Its media type. */
        type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
        /** Bytes of the file. */
        originalSize: number
        /** In pixels; the displayed size is what the model sees. */
        dimensions?: {
          originalWidth?: number
          originalHeight?: number
          displayWidth?: number
          displayHeight?: number
        }
      }
    }
  | {
      type: 'notebook'
      file: {
        /** As it was asked for. */
        filePath: string
        /** The cells with their outputs. */
        cells: unknown[]
      }
    }
  | {
      type: 'pdf'
      file: {
        /** As it was asked for. */
        filePath: string
        /** The document, base64. */
        base64: string
        /** Bytes of the file. */
        originalSize: number
      }
    }
  | {
      type: 'parts'
      file: {
        /** As it was asked for. */
        filePath: string
        /** Bytes of the file. */
        originalSize: number
        /** How many pages were taken out. */
        count: number
        /** The folder with one image per page. */
        outputDir: string
      }
    }
