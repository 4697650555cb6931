import { expect, test } from 'vitest';
import { applyEdits } from '@/components/console/card/card-workbench';
import type { CardDiagnostic } from '@/lib/protocol/a2a/cards/diagnostics';
import { quickFix } from '@/lib/protocol/a2a/cards/quick-fix';
import { readCard } from '@/lib/protocol/a2a/cards/read-card';
import { cardV03, cardV10 } from '../../fakes/cards';

const base = 'https://agent.example';
const context = { cardUrl: `${base}/.well-known/agent-card.json`, assumedEndpoint: null, refusalOf: () => null };

function read(text: string): ReturnType<typeof readCard> {
  return readCard(Buffer.from(text), context);
}

/** Every error and warning of a card. */
function diagnosticsOf(text: string): CardDiagnostic[] {
  const reading = read(text);
  return reading.ok ? reading.warnings : [...reading.faults, ...reading.warnings];
}

/** Applies every quick fix, one at a time, like a user who clicks each "Fix it". */
function applyFixes(text: string): string {
  for (let step = 0; step < 10; step++) {
    const edits = diagnosticsOf(text)
      .map((fault) => quickFix(text, fault))
      .find((found) => found !== null);
    if (!edits) return text;
    text = applyEdits(text, edits);
  }
  return text;
}

const v10 = (change: object): string => JSON.stringify(cardV10(base, change), null, 2);
const without = (name: string): string => {
  const { [name]: _, ...rest } = cardV10(base);
  return JSON.stringify(rest, null, 2);
};

test.each([
  ['a trailing comma and a comment', v10({}).replace(/\n}$/, ',\n // done\n}')],
  ['no version', without('version')],
  ['no modes', without('defaultInputModes')],
  ['no skills', without('skills')],
  ['a number as version', v10({ version: 21 })],
  ['streaming: "yes"', v10({ capabilities: { streaming: 'yes' } })],
  ['capabilities that are a list', v10({ capabilities: [] })],
  [
    'a binding with another spelling',
    v10({ supportedInterfaces: [{ url: `${base}/a`, protocolBinding: 'json-rpc', protocolVersion: '1.0' }] }),
  ],
  ['an interface without version', v10({ supportedInterfaces: [{ url: `${base}/a`, protocolBinding: 'JSONRPC' }] })],
  ['a skill without id', v10({ skills: [{ name: 'Two Words', description: 'd', tags: [] }] })],
  [
    'two skills with one id',
    v10({ skills: [1, 2].map((n) => ({ id: 'a', name: `A${n}`, description: 'd', tags: [] })) }),
  ],
  ['a requirement of an undeclared scheme', JSON.stringify(cardV03(base, { security: [{ oauth: [] }] }), null, 2)],
])('a quick fix exists for %s', (_name, text) => {
  expect(diagnosticsOf(text)).not.toEqual([]);
  expect(diagnosticsOf(applyFixes(text)).filter(({ rule }) => rule !== 'member.empty')).toEqual([]);
});

test.each([
  ['no name', without('name')],
  ['an empty name', v10({ name: ' ' })],
  [
    'only gRPC of another version',
    v10({ supportedInterfaces: [{ url: `${base}/a`, protocolBinding: 'GRPC', protocolVersion: '0.3' }] }),
  ],
  [
    'another version of A2A',
    v10({ supportedInterfaces: [{ url: `${base}/a`, protocolBinding: 'JSONRPC', protocolVersion: '2.0' }] }),
  ],
])('the user’s decision is required for %s', (_name, text) => {
  expect(applyFixes(text)).toBe(text);
  expect(read(text).ok).toBe(false);
});
