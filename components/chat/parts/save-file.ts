import { safeFileName } from './read-file';

/** Lifetime of the object URL, milliseconds. */
const URL_LIFETIME_MS = 10_000;

/**
 * Saves bytes as a file. Declared as `application/octet-stream`, so that no browser opens them as a page of ours (HTML
 * and SVG included).
 */
export function saveFile({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = safeFileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
}
