import { safeFileName } from './read-file';

/** How long the browser has to take the bytes. */
const KEPT_MS = 10_000;

/**
 * Saves bytes as a file. They are declared as unknown bytes, so no browser opens them as a page of ours, whatever is in
 * them (HTML and SVG included).
 */
export function saveFile({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = safeFileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
