import { env } from '../../platform/runtime/env';
import type { Part } from '../../protocol/a2a/core/model';
import { detectAp2Object } from '../../protocol/ap2/detect-ap2-object';

/** The location of stored parts: a task's artifact or message, and the index of the first of them. */
export interface PartLocation {
  taskId: string;
  source: string;
  from: number;
}

/**
 * Parts as Markdown: texts unchanged, data as JSON, links, and files as links to Parley. Carts and other payment
 * objects are omitted: hosts cannot show them safely, and the answer links to the order.
 */
export function toMarkdown(parts: Part[], { taskId, source, from }: PartLocation): string {
  const texts = parts.map((part, index) => ({
    isText: part.kind === 'text',
    text: partText(part, () => fileUrl({ taskId, source, index: from + index })),
  }));
  let markdown = '';
  let endsWithText = true;
  for (const { isText, text } of texts) {
    if (text === '') continue;
    const isBlock = markdown !== '' && !(isText && endsWithText);
    markdown += isBlock ? `\n\n${text}` : text;
    endsWithText = isText;
  }
  return markdown;
}

function partText(part: Part, url: () => string): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'data':
      return detectAp2Object(part.data) ? '' : `\`\`\`json\n${JSON.stringify(part.data, null, 2)}\n\`\`\``;
    case 'uri':
      return /^https?:\/\//i.test(part.uri) && URL.canParse(part.uri)
        ? link(part.filename ?? part.uri, part.uri)
        : part.uri;
    case 'bytes':
      return link(part.filename ?? part.mediaType ?? 'File', url());
  }
}

/** Percent-encoding in the URL is normalized, so that it cannot end the link. */
function link(label: string, url: string): string {
  return `[${label.replace(/[[\]\\\p{Cc}]/gu, ' ').trim()}](<${new URL(url).href.replace(/[<>]/g, encodeURIComponent)}>)`;
}

/** The URL of a file in an answer: `GET /v1/files/{id}/content`. */
function fileUrl({ taskId, source, index }: { taskId: string; source: string; index: number }): string {
  return `${env().APP_URL}/v1/files/${taskId}.${index}.${encodeURIComponent(source)}/content`;
}
