// Shows the picture that the recipient has chosen as their signature, drawn on a canvas: the page may show pictures of its own
// service only.

const MOST_PIXELS = { width: 800, height: 240 };

export function showPreview(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) return;
  const canvas = document.createElement('canvas');
  canvas.className = 'preview';
  canvas.hidden = true;
  canvas.setAttribute('aria-hidden', 'true');
  input.after(canvas);
  input.addEventListener('change', async () => {
    const file = input.files?.[0];
    // What this browser cannot read, the service may.
    const picture = file && (await createImageBitmap(file).catch(() => undefined));
    canvas.hidden = !picture;
    if (!picture) return;
    const scale = Math.min(1, MOST_PIXELS.width / picture.width, MOST_PIXELS.height / picture.height);
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
  });
}
