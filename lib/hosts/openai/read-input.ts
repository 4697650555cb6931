import type { ContentPart } from '../schema-openai';
import type { InputContent, InputItem, ResponseRequest } from '../schema-responses';
import { readContent } from './read-content';
import { callText } from './read-messages';
import { tokenOfId } from './response-ids';
import type { TranscriptMessage } from './transcript';

/**
 * The input of a response as messages. Tool calls of other models become text; other tool items are ignored.
 * @throws {ParleyError} `invalid_request` for a file that cannot be read
 */
export function readInput({
  input,
  instructions,
}: Pick<ResponseRequest, 'input' | 'instructions'>): TranscriptMessage[] {
  const items: InputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const messages = items.flatMap((item, index) => readItem(item, `/input/${index}`));
  if (!instructions) return messages;
  return [readContent({ role: 'instructions', content: instructions, pointer: '/instructions' }), ...messages];
}

function readItem(item: InputItem, pointer: string): TranscriptMessage[] {
  switch (item.type) {
    case undefined:
    case 'message': {
      const role = item.role === 'system' || item.role === 'developer' ? 'instructions' : item.role;
      const read = readContent({ role, content: toParts(item.content), pointer: `${pointer}/content` });
      return [role === 'assistant' ? { ...read, token: tokenOfId(item.id ?? '') ?? read.token } : read];
    }
    case 'item_reference': {
      const token = tokenOfId(item.id);
      return token === null ? [] : [{ role: 'assistant', parts: [], token, isReference: true }];
    }
    case 'function_call':
    case 'custom_tool_call':
      return [{ role: 'assistant', parts: [callText(item)], token: null, isCall: true }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [readContent({ role: 'tool', content: toParts(item.output), pointer: `${pointer}/output` })];
    default:
      return [];
  }
}

function toParts(content: string | InputContent[]): string | ContentPart[] {
  return typeof content === 'string' ? content : content.map(toPart);
}

function toPart(content: InputContent): ContentPart {
  switch (content.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
      return { type: 'text', text: content.text };
    case 'input_image':
      return { type: 'image_url', image_url: { url: content.image_url ?? '' } };
    case 'input_file': {
      const { file_data: data, file_url: url, filename } = content;
      return { type: 'file', file: { file_data: data ?? url, filename } };
    }
    case 'refusal':
    case 'input_audio':
      return content;
  }
}
