import { describe, expect, it } from 'vitest';
import { newConversation, respond } from '@/examples/agents/pizzeria/conversation';
import { wordOnReceipt } from '@/examples/agents/pizzeria/receipt-words';
import { unlike } from '@/examples/agents/pizzeria/unlike';

const now = new Date('2026-11-20T12:00:00.000Z');

/** The shop's replies to these messages, in order, as its customer reads them. */
function talk(...messages: string[]): string[] {
  let conversation = newConversation();
  let last = '';
  let carts = 0;
  return messages.map((message) => {
    const answered = respond(conversation, message, { now, newId: () => String(++carts) });
    conversation = answered.conversation;
    last = unlike(last, answered.reply.text);
    return last;
  });
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((piece) => /\p{L}/u.test(piece) && !/^\s*(?:[-*|#]|\d+\.)/.test(piece));
}

const order = 'One large margherita to 12 Via Roma, Florence';

describe('the pizzeria agent', () => {
  it.each([
    ['the same nonsense', ['xyzzy', 'xyzzy', 'xyzzy', 'xyzzy']],
    ['nonsense about a cart', [order, 'xyzzy', 'xyzzy', 'xyzzy']],
    ['the same agreement', [order, 'ok', 'ok', 'ok']],
    ['the same question', ['What is on the Diavola?', 'What is on the Diavola?', 'What is on the Diavola?']],
    [
      'the same decline',
      [order, 'I decline this offer (cart cart_1).', 'I decline this offer (cart cart_1).', 'no thanks'],
    ],
    ['nothing', ['', '', '']],
    ['the same order', [order, 'cancel', 'cancel', order]],
  ])('never repeats a sentence in consecutive replies to %s', (_what, messages) => {
    const replies = talk(...messages);
    for (const [at, text] of replies.entries()) {
      const before = sentencesOf(replies[at - 1] ?? '');
      expect(sentencesOf(text).filter((sentence) => before.includes(sentence))).toEqual([]);
    }
  });

  it('withdraws a declined cart, and sends another only on request', () => {
    const [, declined, thanks, again] = talk(
      order,
      'I decline this offer (cart cart_1).',
      'thanks',
      'a new cart, please',
    );
    expect(declined).toContain('that cart is withdrawn and nothing is charged');
    expect(thanks).toContain('No cart is open');
    expect(thanks).not.toContain('Here is your cart');
    expect(again).not.toContain('I do not know');
    expect(again).toContain('Here is your cart: 13.00 EUR');
  });

  it('confirms a payment only if the receipt does', () => {
    const paid = { payment_id: 'ord_1', payment_status: { psp_confirmation_id: 'x' } };
    const failed = { payment_id: 'ord_1', payment_status: { error_message: 'no' } };
    const refund = { payment_id: 'rfd_1', payment_status: { psp_confirmation_id: 'x' } };
    const say = (receipt: object, taken = true): string => wordOnReceipt([{ 'ap2.PaymentReceipt': receipt }], taken);
    expect(say(paid)).toContain('the payment has arrived');
    expect(say(paid, false)).not.toContain('arrived');
    expect(say(failed)).toContain('Nothing was paid');
    expect(say(refund)).toContain('refund');
  });
});
