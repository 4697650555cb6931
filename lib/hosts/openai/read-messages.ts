import type { Part } from '../../protocol/a2a/core/model';
import type { ChatMessage, NamedCall } from '../schema-openai';
import { readContent } from './read-content';
import type { TranscriptMessage } from './transcript';

const roles = {
  system: 'instructions',
  developer: 'instructions',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
} as const;

/**
 * The messages of a chat completion. Tool calls of other models become text.
 * @throws {ParleyError} `invalid_request` for a file that cannot be read
 */
export function readMessages(messages: ChatMessage[]): TranscriptMessage[] {
  return messages.map((message, index) => {
    const { role, content } = message;
    const read = readContent({ role: roles[role], content, pointer: `/messages/${index}/content` });
    const calls = callsOf(message);
    if (calls.length === 0) return read;
    return { ...read, parts: [...read.parts, ...calls], isCall: read.parts.length === 0 };
  });
}

function callsOf({ role, tool_calls: calls, function_call: legacy }: ChatMessage): Part[] {
  if (role !== 'assistant') return [];
  return [...(calls ?? []).map((call) => call.function ?? call.custom), legacy].flatMap((call) =>
    call ? [callText(call)] : [],
  );
}

/** A call of a tool, as text. */
export function callText({ name, arguments: json, input }: NamedCall): Part {
  return { kind: 'text', text: `Called ${name}(${json ?? input ?? ''})` };
}
