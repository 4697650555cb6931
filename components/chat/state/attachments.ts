import type { useTranslations } from 'next-intl';
import type { ChatLimits, PostMessage } from '../../../lib/chat/schema';

export type Attachment = PostMessage['files'][number];

export type Translator = ReturnType<typeof useTranslations<'chat.attachments'>>;

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
