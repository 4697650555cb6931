import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { deferScripts, injectEventReplay, rewriteHead } from '@/lib/http/pages/serve-pages';

const script = (name: string): string => `<script src="/_next/${name}.js" async="" nonce="bm9uY2U="></script>`;
const old = '<script src="/_next/old.js" noModule="" nonce="bm9uY2U="></script>';
const sheet = '<link rel="stylesheet" href="/_next/a.css"/>';
const body = `<body><p>Grüße, 世界</p>${script('in-the-body')}</body>`;
const page = `<!DOCTYPE html><html><head>${script('a')}<title>Grüße</title>${sheet}${script('b')}${old}</head>${body}</html>`;

/** The response as a browser receives it. */
async function received(answer: (response: ServerResponse) => void): Promise<{ text: string; headers: Headers }> {
  const server = createServer((_request, response) => {
    rewriteHead(response, deferScripts);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const got = { text: await response.text(), headers: response.headers };
  server.close();
  return got;
}

function inPieces(of: string, size: number): (response: ServerResponse) => void {
  return (response) => {
    const bytes = Buffer.from(of);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
    response.end();
  };
}

test.each([1, 7, 100, 10_000])(
  'one script adds the head’s scripts without waiting for a style sheet, for chunks of %i bytes',
  async (size) => {
    const { text } = await received(inPieces(page, size));
    const [head, rest] = text.split('</head>');
    expect(head).not.toContain('async=""');
    expect(head).toContain(old);
    expect(head).toContain('<title>Grüße</title>');
    expect(head).toMatch(
      /<script nonce="bm9uY2U=">[^<]*\(\["\/_next\/a\.js","\/_next\/b\.js"\]\)<\/script><link rel="stylesheet"/,
    );
    expect(rest).toBe(`${body}</html>`);
  },
);

test('a rewritten page is sent without its declared length', async () => {
  const { text, headers } = await received((response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-length', Buffer.byteLength(page));
    response.end(page);
  });
  expect(text).toContain('(["/_next/a.js","/_next/b.js"])');
  expect(headers.get('content-length')).not.toBe(String(Buffer.byteLength(page)));
});

test.each([
  ['without scripts', '<html><head><title>x</title></head><body></body></html>'],
  ['whose scripts have no nonce', '<html><head><script src="/a.js" async=""></script></head><body></body></html>'],
  ['without a head', '<p>x</p>'],
  ['with a head that is too long', `<html><head>${'<meta>'.repeat(12_000)}${script('a')}</head></html>`],
])('a page %s is unchanged', async (_name, html) => {
  expect((await received(inPieces(html, 4_096))).text).toBe(html);
});

test('a response that is not a page is unchanged, including its length', async () => {
  const { text, headers } = await received((response) => {
    response.setHeader('content-type', 'application/json').setHeader('content-length', Buffer.byteLength(page));
    response.write(page.slice(0, 10));
    response.end(page.slice(10));
  });
  expect(text).toBe(page);
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(page)));
});

test('a page response without a body ends', async () => {
  const { text } = await received((response) => {
    response.setHeader('content-type', 'text/html').writeHead(304).end();
  });
  expect(text).toBe('');
});

test('the event replay script precedes the other scripts, with the page’s nonce, and only on pages with scripts', () => {
  const head = page.slice(0, page.indexOf('</head>'));
  const rewritten = injectEventReplay(head);
  const [own] = /<script nonce="bm9uY2U=">[^<]*parley:listens[^<]*<\/script>/.exec(rewritten) ?? [];
  expect(rewritten.replace(own ?? '', '')).toBe(head);
  expect(deferScripts(rewritten).indexOf('parley:listens')).toBeLessThan(
    deferScripts(rewritten).indexOf('/_next/a.js'),
  );
  expect(injectEventReplay('<html><head>')).toBe('<html><head>');
});
