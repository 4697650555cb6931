import { describe, expect, test } from 'vitest';
import { chooseDialect, readRequest } from '@/lib/protocol/a2a/dialects';
import type { JsonObject } from '@/lib/protocol/json';

function read(method: string, params: JsonObject): unknown {
  return readRequest(chooseDialect(method, '1.0'), { id: 1, method, params });
}

describe('the ProtoJSON reader for A2A 1.0', () => {
  test('accepts proto names in a query (the kit’s CORE-HIST-002)', () => {
    expect(read('GetTask', { id: 't', history_length: 2 })).toMatchObject({ taskId: 't', historyLength: 2 });
    const filter = { context_id: 'c', page_size: 7, include_artifacts: true };
    expect(read('ListTasks', filter)).toMatchObject({
      filter: { contextId: 'c', pageSize: 7, includeArtifacts: true },
    });
  });

  test('accepts proto names in a message, its parts and its configuration', () => {
    const message = {
      message_id: 'm',
      role: 'ROLE_USER',
      parts: [{ text: 'hi', media_type: 'text/plain' }],
      task_id: 't',
      reference_task_ids: ['r'],
    };
    expect(read('SendMessage', { message, configuration: { return_immediately: true } })).toMatchObject({
      message: { messageId: 'm', taskId: 't', referenceTaskIds: ['r'], parts: [{ mediaType: 'text/plain' }] },
      configuration: { returnImmediately: true },
    });
  });

  test('prefers the JSON name if both occur, in any order, and leaves metadata unchanged', () => {
    for (const params of [
      { id: 't', historyLength: 1, history_length: 5 },
      { id: 't', history_length: 5, historyLength: 1 },
    ]) {
      expect(read('GetTask', params)).toMatchObject({ historyLength: 1 });
    }
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }], metadata: { task_id: 'mine' } };
    expect(read('SendMessage', { message })).toMatchObject({ message: { metadata: { task_id: 'mine' } } });
  });

  test('rejects an invalid value under a proto name as under the JSON name', () => {
    expect(() => read('GetTask', { id: 't', history_length: -1 })).toThrow(/historyLength/);
  });
});
