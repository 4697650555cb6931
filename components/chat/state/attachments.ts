import type { useTranslations } from 'next-intl';
import type { ChatLimits, PostMessage } from '../../../lib/chat/schema';
import { acceptsMode } from '../../../lib/protocol/a2a/core/card';

export type Attachment = PostMessage['files'][number];

type Translator = ReturnType<typeof useTranslations<'chat.attachments'>>;

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

/** Returns the text of the error for a message that is too long; null if its length is valid. */
export function lengthProblem(
  { text, files }: Pick<PostMessage, 'text' | 'files'>,
  limits: ChatLimits,
  t: Translator,
): string | null {
  const excess = text.length - limits.textLength;
  if (excess > 0) return t('textTooLong', { over: excess, most: limits.textLength });
  const bytes = new TextEncoder().encode(JSON.stringify({ text, files })).length;
  if (bytes <= limits.messageBytes) return null;
  return t('messageTooLarge', { size: formatSize(bytes, t) });
}

/** Returns the text of the error for an answer to a form that is too large; null if its size is valid. */
export function sizeProblem(
  { data, files }: { data: object; files: readonly Attachment[] },
  limits: ChatLimits,
  t: Translator,
): string | null {
  if (files.length > limits.files) return t('tooMany', { most: limits.files, count: files.length });
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (total > limits.fileBytes)
    return t('tooLarge', { size: formatSize(total, t), most: formatSize(limits.fileBytes, t) });
  const bytes = new TextEncoder().encode(JSON.stringify({ data, files })).length;
  return bytes > limits.messageBytes ? t('messageTooLarge', { size: formatSize(bytes, t) }) : null;
}

/** Returns the byte length of a base64 text. */
export function sizeOf({ bytes }: { bytes: string }): number {
  return Math.floor((bytes.replace(/=+$/, '').length * 3) / 4);
}

/** Formats a size for display: "12 B", "3.4 KB", "1.2 MB". */
export function formatSize(bytes: number, t: Translator): string {
  if (bytes < 1_000) return t('bytes', { size: bytes });
  const [value, unit] =
    bytes < 1_000_000 ? ([bytes / 1_000, 'kilobytes'] as const) : ([bytes / 1_000_000, 'megabytes'] as const);
  return t(unit, { size: value < 10 ? Math.round(value * 10) / 10 : Math.round(value) });
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

/** The part of a clipboard that distinguishes files from text. */
interface Clipboard {
  files: Iterable<File>;
  getData: (type: string) => string;
}

/**
 * Returns the clipboard's files to attach; none if it contains text, because office programs add an image of it. The
 * name or path of a copied file does not count as text. Names that are already used are numbered, because all
 * screenshots are called `image.png`.
 */
export function pastedFiles(clipboard: Clipboard, existingNames: readonly string[]): File[] {
  const files = [...clipboard.files];
  if (files.length === 0 || !isOnlyNames(clipboard.getData('text/plain'), files)) return [];
  const names = new Set(existingNames);
  return files.map((file) => {
    const name = uniqueName(file.name || 'file', names);
    names.add(name);
    return name === file.name ? file : new File([file], name, { type: file.type });
  });
}

function isOnlyNames(text: string, files: File[]): boolean {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  return lines.every((line) => files.some(({ name }) => name !== '' && (line === name || isPathTo(line, name))));
}

function isPathTo(line: string, name: string): boolean {
  return (
    /^(?:\/|file:|[a-z]:[\\/])/i.test(line) &&
    (line.endsWith(`/${name}`) || line.endsWith(`\\${name}`) || line.endsWith(`/${encodeURIComponent(name)}`))
  );
}

function uniqueName(name: string, existingNames: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? [];
  let free = name;
  for (let number = 2; existingNames.has(free); number++) free = `${stem}-${number}${extension}`;
  return free;
}
