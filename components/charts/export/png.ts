/** Twice the pixels, so that it is sharp in a document. */
const SCALE = 2;

type Sized = { readonly svg: string; readonly width: number; readonly height: number };

/** Draws the document on a canvas. Throws when the browser cannot. */
export async function pngOf({ svg, width, height }: Sized): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * SCALE;
    canvas.height = height * SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (blob === null) throw new Error('The browser could not draw the picture.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
