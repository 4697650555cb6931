import { expect, test } from 'vitest';
import { readPushTarget, toV03SendParams } from '@/lib/protocol/a2a/dialects/transcode-rest';

test('A2A 0.3 over HTTP reads proto names, prefers the JSON name and leaves metadata unchanged', () => {
  const file = { file_with_uri: 'https://e.example/f', mime_type: 'text/csv' };
  const message = {
    message_id: 'proto',
    messageId: 'json',
    task_id: 't',
    role: 'ROLE_USER',
    content: [{ file }],
    metadata: { user_key: 1 },
  };
  expect(toV03SendParams({ message, configuration: { history_length: 3 } })).toMatchObject({
    message: {
      messageId: 'json',
      taskId: 't',
      parts: [{ kind: 'file', file: { uri: 'https://e.example/f', mimeType: 'text/csv' } }],
      metadata: { user_key: 1 },
    },
    configuration: { historyLength: 3 },
  });
  const url = 'https://e.example/hook';
  expect(readPushTarget({ config: { push_notification_config: { url } } })).toEqual({ url });
});
