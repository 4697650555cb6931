import type { Part } from '../../../lib/protocol/a2a/core/model';
import { type DataPartView, toDataPartView } from './data-part-view';
import { safeHref } from './markdown/safe-href';
import { essenceOf, type FileView, readFile } from './read-file';

/** Target of a link: https only. */
export interface ExternalAddress {
  href: string;
  host: string;
}

/** The view of a part. */
export type PartView =
  | { kind: 'markdown'; text: string }
  | { kind: 'plain'; text: string; mediaType: string; name: string | null }
  | { kind: 'file'; file: FileView }
  /** `link` is null for a URL that must not be opened. */
  | { kind: 'link-file'; name: string | null; mediaType: string | null; uri: string; link: ExternalAddress | null }
  | DataPartView;

const markdownTypes: ReadonlySet<string> = new Set(['text/markdown', 'text/x-markdown']);

/** Text is Markdown unless declared otherwise. Nothing is fetched or decoded here. */
export function toPartView(part: Part): PartView {
  if (part.kind === 'text') return toTextView(part);
  if (part.kind === 'bytes') return { kind: 'file', file: readFile({ ...part, pieces: [part.bytes] }) };
  if (part.kind === 'uri') return toLinkView(part);
  return toDataPartView(part);
}

function toTextView({ text, mediaType, filename }: Part & { kind: 'text' }): PartView {
  if (!mediaType || markdownTypes.has(essenceOf(mediaType))) return { kind: 'markdown', text };
  return { kind: 'plain', text, mediaType: essenceOf(mediaType), name: filename ?? null };
}

function toLinkView({ uri, filename, mediaType }: Part & { kind: 'uri' }): PartView {
  const href = safeHref(uri);
  const link = href?.startsWith('https:') ? { href, host: new URL(href).host } : null;
  return { kind: 'link-file', name: filename ?? null, mediaType: mediaType ? essenceOf(mediaType) : null, uri, link };
}
