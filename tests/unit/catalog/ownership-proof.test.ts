import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPublishedProof, ownershipProofOf } from '@/lib/catalog/team/ownership';

const agent = { id: 'agt_1', ownerId: 'usr_1', url: 'https://agents.example.com/pizza' };

/** A name server with one TXT record, in chunks of at most 20 characters. */
function answerOf(question: Buffer, text: string): Buffer {
  const pieces = text.match(/.{1,20}/g) ?? [];
  const data = Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)])));
  const end = question.indexOf(0, 12) + 5;
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 6);
  head.writeUInt16BE(0, 10);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(16, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, record, data]);
}

describe('the proof of host ownership', () => {
  let server: Socket;
  let resolver: Resolver;
  const asked: string[] = [];
  let text = '';

  beforeAll(async () => {
    server = createSocket('udp4');
    server.on('message', (question, from) => {
      asked.push(
        question
          .subarray(12, question.indexOf(0, 12))
          .toString('latin1')
          .replace(/[^\w-]/g, '.'),
      );
      server.send(answerOf(question, text), from.port, from.address);
    });
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    resolver = new Resolver({ timeout: 2_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
  });

  afterAll(() => {
    server.close();
  });

  it('differs for every agent and owner, and is stable for each pair', () => {
    const { text: first } = ownershipProofOf(agent);
    expect(ownershipProofOf(agent).text).toBe(first);
    expect(ownershipProofOf({ ...agent, ownerId: 'usr_2' }).text).not.toBe(first);
    expect(ownershipProofOf({ ...agent, id: 'agt_2' }).text).not.toBe(first);
  });

  it('is placed under the host’s own DNS name, or in a file if the host has no name', () => {
    expect(ownershipProofOf(agent)).toMatchObject({
      host: 'agents.example.com',
      dnsName: '_parley.agents.example.com',
    });
    for (const url of ['http://127.0.0.1:4000', 'http://[::1]:4000', 'http://localhost:4000']) {
      expect(ownershipProofOf({ ...agent, url }).dnsName).toBeNull();
    }
  });

  it('is found in a TXT record however its text is split', async () => {
    const proof = ownershipProofOf(agent);
    text = proof.text;
    expect(await findPublishedProof(proof, { signal: AbortSignal.timeout(5_000), resolver })).toBe('dns');
    expect(asked.at(-1)).toContain('_parley.agents.example.com');
  });
});
