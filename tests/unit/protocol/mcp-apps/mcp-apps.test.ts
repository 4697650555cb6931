import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Part } from '@/lib/protocol/a2a/core/model';
import type { JsonValue } from '@/lib/protocol/json';
import { MAX_MCP_APP_LENGTH, MAX_MCP_APP_MESSAGE, MAX_MCP_APP_TEXT } from '@/lib/protocol/limits';
import { answersTo, decided } from '@/lib/protocol/mcp-apps/host-messages';
import { appResource, isAppType, pageOf, readApp } from '@/lib/protocol/mcp-apps/read-app';
import { readFrameMessage } from '@/lib/protocol/mcp-apps/read-frame-message';

const html = '<!doctype html><p>Zürich</p>';
const mediaType = 'text/html;profile=mcp-app';
const base64 = Buffer.from(html).toString('base64');
const resource = { uri: 'ui://seats/map', mimeType: mediaType, text: html };

describe('an app', () => {
  test.each<[string, Part]>([
    ['a file of its type', { kind: 'bytes', bytes: base64, mediaType: 'text/html; profile="mcp-app"' }],
    ['a text of its type', { kind: 'text', text: html, mediaType }],
    ['an embedded resource', { kind: 'data', data: { type: 'resource', resource } }],
    ['a resource', { kind: 'data', data: { ...resource } }],
    ['a resource as Base64', { kind: 'data', data: { uri: 'ui://a', mimeType: mediaType, blob: base64 } }],
    [
      'the result of a call',
      {
        kind: 'data',
        data: {
          content: [
            { type: 'text', text: 'x' },
            { type: 'resource', resource },
          ],
        },
      },
    ],
  ])('is read from %s', (_name, part) => {
    const app = readApp(part);
    expect(app && pageOf(app)).toBe(html);
  });

  test('has the call whose result it shows', () => {
    const call = { tool: 't', arguments: { a: 1 }, result: { content: [], isError: false } };
    const file: Part = {
      kind: 'bytes',
      bytes: base64,
      mediaType,
      metadata: { 'mcp.resourceUri': 'ui://x', 'mcp.call': call },
    };
    expect(readApp(file)).toMatchObject({ uri: 'ui://x', input: { a: 1 }, result: { isError: false } });
    const data = {
      arguments: { a: 1 },
      content: [
        { type: 'resource', resource },
        { type: 'text', text: 'x' },
      ],
      structuredContent: { b: 2 },
    };
    expect(readApp({ kind: 'data', data })).toMatchObject({
      ...{ uri: 'ui://seats/map', input: { a: 1 } },
      result: { content: [{ type: 'text', text: 'x' }], structuredContent: { b: 2 } },
    });
  });

  test('is the same resource for a host that shows it', () => {
    const app = readApp({ kind: 'data', data: { type: 'resource', resource } });
    expect(app && appResource(app)).toEqual(resource);
  });

  test.each<[string, Part]>([
    ['HTML of another type', { kind: 'text', text: html, mediaType: 'text/html' }],
    ['a page at another address', { kind: 'data', data: { ...resource, uri: 'https://evil.example/' } }],
    ['a link', { kind: 'uri', uri: 'ui://a', mediaType }],
    ['too much', { kind: 'text', text: 'x'.repeat(MAX_MCP_APP_LENGTH + 1), mediaType }],
    ['other data', { kind: 'data', data: { content: 'x' } }],
  ])('is not %s', (_name, part) => {
    expect(readApp(part)).toBeNull();
  });

  test('that is not text of UTF-8 has no page', () => {
    expect(pageOf({ content: { base64: ['/w=='] } })).toBeNull();
    expect(pageOf({ content: { base64: ['%%%'] } })).toBeNull();
    expect(isAppType('text/html;charset=utf-8;profile=mcp-app')).toBe(true);
    expect(isAppType('text/plain;profile=mcp-app')).toBe(false);
  });
});

describe('a message of an app', () => {
  const request = (method: string, params: object = {}) => readFrameMessage({ jsonrpc: '2.0', id: 1, method, params });

  test('that asks for something waits for the person', () => {
    expect(request('ui/open-link', { url: 'https://a.example/b' })).toMatchObject({
      wish: { kind: 'link', url: 'https://a.example/b' },
    });
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'image', data: 'x' },
    ];
    expect(request('ui/message', { role: 'user', content })).toMatchObject({ wish: { kind: 'message', text: 'Hi' } });
    expect(request('tools/call', { name: 't', arguments: { a: 1 } })).toMatchObject({
      wish: { kind: 'tool', name: 't', input: { a: 1 } },
    });
  });

  test.each([
    ['a script as a link', 'ui/open-link', { url: 'javascript:alert(1)' }],
    ['a link without encryption', 'ui/open-link', { url: 'http://a.example' }],
    ['a message of the agent', 'ui/message', { role: 'assistant', content: [{ type: 'text', text: 'x' }] }],
    ['a long message', 'ui/message', { content: [{ type: 'text', text: 'x'.repeat(MAX_MCP_APP_TEXT + 1) }] }],
    ['a tool without a name', 'tools/call', {}],
    ['an unknown method', 'resources/read', { uri: 'ui://a' }],
    ['a member of every object', 'constructor', {}],
  ])('that is %s is refused', (_name, method, params) => {
    expect(request(method, params)).toMatchObject({ kind: 'refused' });
  });

  test('of any other kind is ignored', () => {
    for (const value of [
      null,
      'x',
      [],
      {},
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
    ])
      expect(readFrameMessage(value)).toBeNull();
    expect(request('ping', { x: 'x'.repeat(MAX_MCP_APP_MESSAGE) })).toBeNull();
    const loop: Record<string, unknown> = { jsonrpc: '2.0', id: 1, method: 'ping' };
    loop.params = loop;
    expect(readFrameMessage(loop)).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (params, method) => {
        expect(() => readFrameMessage({ jsonrpc: '2.0', id: 1, method, params: params as JsonValue })).not.toThrow();
      }),
    );
  });

  test('is answered with what the host can do, and with the call after the start', () => {
    const context = { theme: 'dark', locale: 'de', timeZone: 'UTC', variables: {}, maxHeight: 700 } as const;
    const app = { input: { a: 1 }, result: { content: [] } };
    const answers = (canSend: boolean) => answersTo({ kind: 'initialize', id: 7 }, app, { ...context, canSend });
    expect(answers(true)).toMatchObject([
      {
        id: 7,
        result: { hostCapabilities: { openLinks: {}, message: {}, serverTools: {} }, hostContext: { theme: 'dark' } },
      },
    ]);
    expect(answers(false)).toMatchObject([{ result: { hostCapabilities: { openLinks: {} } } }]);
    const started = answersTo({ kind: 'initialized' }, app, { ...context, canSend: true });
    expect(started.map(({ method }) => method)).toEqual([
      'ui/notifications/tool-input',
      'ui/notifications/tool-result',
    ]);
    expect(decided(1, { kind: 'link', url: 'https://a.example' }, false)).toMatchObject({ result: { isError: true } });
    expect(decided(1, { kind: 'tool', name: 't', input: {} }, true)).toMatchObject({ result: { isError: false } });
  });
});
