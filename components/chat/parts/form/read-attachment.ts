import type { ChatLimits } from '../../../../lib/chat/schema';
import { acceptsMode } from '../../../../lib/protocol/a2a/core/card';
import { type Attachment, formatSize, sizeOf, type Translator } from '../../state/attachments';

// Loaded when the first file is chosen, in the composer or in a form.

/** A chosen file, before it is read. */
interface ChosenFile {
  name: string;
  size: number;
  type: string;
}

/** Media types that browsers omit or report differently depending on the system. */
const mediaTypesByExtension: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  md: 'text/markdown',
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/**
 * Returns the media type with which a file is sent: that of the browser, or that of its extension if only the latter is
 * among the modes. Windows with Excel reports `application/vnd.ms-excel` for a CSV file.
 */
export function mediaTypeOf({ name, type }: ChosenFile, modes: string[]): string {
  const declared = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  const typeByExtension = mediaTypesByExtension[name.split('.').at(-1)?.toLowerCase() ?? ''];
  if (
    typeByExtension &&
    !(declared && acceptsMode(modes, declared)) &&
    (acceptsMode(modes, typeByExtension) || !declared)
  )
    return typeByExtension;
  return declared || 'application/octet-stream';
}

interface AttachmentContext {
  agentName: string;
  modes: string[];
  limits: ChatLimits;
  /** Files already attached. */
  attached: { bytes: string }[];
  t: Translator;
}

/**
 * Returns the reason why these files cannot be attached, in one sentence that also states the limit; null if they can
 * be. Checked before any upload.
 */
export function attachmentProblem(
  files: ChosenFile[],
  { agentName: agent, modes, limits, attached, t }: AttachmentContext,
): string | null {
  const unsupported = files.find((file) => !acceptsMode(modes, mediaTypeOf(file, modes)));
  if (unsupported) {
    const declared = { name: unsupported.name, type: mediaTypeOf(unsupported, modes), agent };
    return modes.length > 0 ? t('wrongType', { ...declared, modes: modes.join(', ') }) : t('noFiles', declared);
  }
  const count = attached.length + files.length;
  if (count > limits.files) return t('tooMany', { most: limits.files, count });
  const total = [...files.map(({ size }) => size), ...attached.map(sizeOf)].reduce((sum, size) => sum + size, 0);
  if (total <= limits.fileBytes) return null;
  return t('tooLarge', { size: formatSize(total, t), most: formatSize(limits.fileBytes, t) });
}

/** Reads a chosen file. */
export async function readAttachment(file: File, modes: string[]): Promise<Attachment> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In slices, because String.fromCharCode has a maximum number of arguments.
  for (let offset = 0; offset < bytes.length; offset += 8_192)
    text += String.fromCharCode(...bytes.subarray(offset, offset + 8_192));
  return { name: file.name.slice(-200), mediaType: mediaTypeOf(file, modes), bytes: btoa(text) };
}
