import { readFileSync } from 'node:fs';
import { verifyMandate, verifyPair } from '@parley/agent/ap2';
import { describe, expect, test } from 'vitest';
import { checkCart } from '@/lib/protocol/ap2/check-cart';

const j = (f: string) => JSON.parse(readFileSync(`tests/fixtures/ap2/vectors/${f}`, 'utf8'));
describe('cart', () => {
  const v = j('ap2-v0.1-cart.json');
  test.each(v.cases.filter((c: any) => c.expect !== 'replayed_cart').map((c: any) => [c.name, c]))(
    '%s',
    async (_n, c: any) => {
      const r = await checkCart(JSON.stringify(c.cart), {
        keys: [v.keys.merchant_public],
        issuer: v.verifier.merchantIssuer,
        subject: null,
        audience: v.verifier.marketplace,
        now: new Date(v.now),
      });
      expect(r.code ?? 'ok').toBe(c.expect);
    },
  );
});
describe('ucp', () => {
  const v = j('ucp-merchant-authorization.json');
  test.each(v.cases.map((c: any) => [c.name, c]))('%s', async (_n, c: any) => {
    const r = await checkCart(JSON.stringify({ 'a2a.ucp.checkout': c.checkout }), {
      keys: [v.key],
      issuer: 'x',
      subject: null,
      audience: 'y',
      now: new Date(),
    });
    expect(r.code ?? 'ok').toBe(c.expect);
  });
});
describe('pair', () => {
  const v = j('ap2-v0.2-direct.json');
  test.each(v.cases.map((c: any) => [c.name, c]))('%s', async (_n, c: any) => {
    const r = await verifyPair(
      { checkout: c.checkout_mandate, payment: c.payment_mandate },
      {
        keys: [v.keys.market_public],
        merchantKeys: [v.keys.merchant_public],
        audience: v.expected_audience,
        latestCheckout: v.latest_checkout_hash,
        now: new Date(v.now),
        seen: () => Boolean(c.after),
      },
    );
    expect(r.ok ? 'ok' : r.code).toBe(c.expect);
  });
});
