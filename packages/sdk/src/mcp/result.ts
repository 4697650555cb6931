import type { Part } from '../wire.js';
import { boundedJson, cleanText, isObject, type JsonObject, listOf } from './json.js';

/** The result of a tool as parts of A2A. */
export interface ToolOutput {
  isError: boolean;
  /** Texts and data. */
  answer: Part[];
  /** One part for each image, recording and embedded resource. */
  files: Part[];
}

/** Media type of a resource that is an MCP App. */
export const MCP_APP_TYPE = 'text/html;profile=mcp-app';

/** Maximum characters of one part, so that an event with it fits into a frame of 1 MiB, and of all parts. */
const MAX_PART = 700_000;
const MAX_TOTAL = 4_000_000;
const MAX_ITEMS = 200;
const MAX_NAME = 120;

/** Reads the result of `tools/call`. What is too large or cannot be read is replaced by a sentence. */
export function readToolResult(result: JsonObject): ToolOutput {
  const reader = new ResultReader();
  const content = listOf(result.content);
  const structured = result.structuredContent === undefined ? undefined : boundedJson(result.structuredContent);
  for (const item of content.slice(0, MAX_ITEMS))
    if (!isObject(item)) reader.omit('an item that is no object');
    else if (!repeats(item, structured)) reader.add(item);
  if (content.length > MAX_ITEMS) reader.omit(`${content.length - MAX_ITEMS} more items`);
  if (structured !== undefined) reader.addAnswer({ data: structured }, JSON.stringify(structured).length);
  else if (result.structuredContent !== undefined) reader.omit('structured content that is too large');
  return { isError: result.isError === true, answer: reader.answer, files: reader.files };
}

/** Returns true for a text that is the structured content again, for clients that do not read that. */
function repeats({ type, text }: JsonObject, structured: unknown): boolean {
  if (type !== 'text' || typeof text !== 'string' || structured === undefined) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

/** Collects the parts within the limits. */
class ResultReader {
  readonly answer: Part[] = [];
  readonly files: Part[] = [];
  private total = 0;

  add(item: JsonObject): void {
    const { type } = item;
    if (type === 'text') this.addText(item.text);
    else if (type === 'image' || type === 'audio') this.addFile(type, { bytes: item.data, type: item.mimeType });
    else if (type === 'resource') this.addResource(isObject(item.resource) ? item.resource : {});
    else if (type === 'resource_link') this.addLink(item);
    else this.omit(`content of the type "${cleanText(type, MAX_NAME)}"`);
  }

  addAnswer(part: Part, size: number): void {
    if (this.fits(size)) this.answer.push(part);
    else this.omit('content that is too large');
  }

  /** Adds a sentence about what is left out. */
  omit(what: string): void {
    this.answer.push({ text: `The tool returned ${what}, which is left out.` });
  }

  private addResource({ uri, mimeType, text, blob }: JsonObject): void {
    const name = fileName(uri);
    const type = mediaType(mimeType);
    if (typeof blob === 'string') this.addFile('resource', { bytes: blob, type, name });
    else if (typeof text !== 'string') this.omit('a resource without content');
    else if (type.startsWith('text/html')) this.addFile('resource', { bytes: toBase64(text), type, name });
    else if (this.fits(text.length)) this.files.push({ text, mediaType: type, filename: name });
    else this.omit(`the resource "${name}", which is too large`);
  }

  private addText(text: unknown): void {
    if (typeof text !== 'string' || text === '') return;
    this.total += text.length;
    if (this.total > MAX_TOTAL) this.omit('text that is too long');
    else this.answer.push({ text });
  }

  /** Adds a link. Only the server can read other addresses than those of the web. */
  private addLink({ uri, name, title, mimeType }: JsonObject): void {
    const address = cleanText(uri, 2_000);
    const shown = cleanText(title ?? name, MAX_NAME) || fileName(uri);
    if (/^https:\/\//i.test(address) && URL.canParse(address))
      this.files.push({ url: address, mediaType: mediaType(mimeType), filename: shown });
    else this.addText(`${shown} (${address})`);
  }

  private addFile(kind: string, { bytes, type, name }: { bytes: unknown; type: unknown; name?: string }): void {
    const raw = typeof bytes === 'string' ? bytes.replaceAll(/\s+/g, '') : '';
    const media = mediaType(type);
    const filename = name ?? `${kind}-${this.files.length + 1}.${extensionOf(media)}`;
    if (raw === '' || raw.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(raw))
      this.omit(`the file "${filename}", which is not valid Base64`);
    else if (this.fits(raw.length)) this.files.push({ raw, mediaType: media, filename });
    else this.omit(`the file "${filename}", which is too large`);
  }

  private fits(size: number): boolean {
    if (size > MAX_PART || this.total + size > MAX_TOTAL) return false;
    this.total += size;
    return true;
  }
}

/** Returns a valid media type; that of MCP Apps in one spelling. */
function mediaType(value: unknown): string {
  const type = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (/^text\/html\s*;\s*profile="?mcp-app"?$/.test(type)) return MCP_APP_TYPE;
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type.split(';', 1)[0] ?? '') && type.length <= MAX_NAME
    ? type
    : 'application/octet-stream';
}

function extensionOf(type: string): string {
  const [subtype = 'bin'] = (type.split('/')[1] ?? '').split(/[;+]/, 1);
  return { mpeg: 'mp3', plain: 'txt', 'octet-stream': 'bin' }[subtype] ?? subtype;
}

function fileName(uri: unknown): string {
  const [path = ''] = cleanText(uri, 2_000).split(/[?#]/, 1);
  return (
    cleanText(
      path
        .split('/')
        .filter(Boolean)
        .at(-1)
        ?.replaceAll(/[\\:*?"<>|]/g, '-'),
      MAX_NAME,
    ) || 'resource'
  );
}

/** Encodes a text as UTF-8 in Base64, in pieces that fit on the stack. */
export function toBase64(text: string): string {
  let binary = '';
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}
