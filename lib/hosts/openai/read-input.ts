import { ParleyError } from '../../platform/errors';
import type { ChatMessage, ContentPart } from '../schema-openai';
import type { InputContent, InputItem, ResponseRequest } from '../schema-responses';

/** The input of a response as the messages of a chat completion. */
export function messagesOf({ input, instructions }: Pick<ResponseRequest, 'input' | 'instructions'>): ChatMessage[] {
  const items: InputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const messages = items.map(
    ({ role, content }): ChatMessage => ({
      role,
      content: typeof content === 'string' ? content : content.map(toPart),
    }),
  );
  return instructions ? [{ role: 'developer', content: instructions }, ...messages] : messages;
}

function toPart(content: InputContent): ContentPart {
  switch (content.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: content.text };
    case 'refusal':
      return content;
    case 'input_image':
      return { type: 'image_url', image_url: { url: content.image_url } };
    case 'input_file':
      return { type: 'file', file: { file_data: content.file_data, filename: content.filename } };
  }
}

/** The task that the id of a response names; empty for any other text. */
export function taskIdOfResponse(id: string): string {
  return /^resp_([\da-f-]{36})_[\da-f]{8}$/.exec(id)?.[1] ?? '';
}

export function unknownResponse(id: string): ParleyError {
  return new ParleyError(
    'not_found',
    `Found no response "${id.slice(0, 100)}" of this agent. Omit previous_response_id to start a conversation.`,
    { data: { parameter: 'previous_response_id' } },
  );
}
