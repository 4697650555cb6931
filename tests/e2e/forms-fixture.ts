import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import * as agent03 from '../fakes/a2a03';
import type { ScriptedAgent } from '../fakes/scripted-agent';
import { say } from './chat-fixture';

/** A question with a field of every kind. */
export const claim = {
  kind: 'form',
  title: 'Expense claim',
  message: 'I need a few details to file your claim.',
  submit: 'File the claim',
  schema: {
    type: 'object',
    properties: {
      purpose: { type: 'string', title: 'Purpose', description: 'One sentence is enough', minLength: 5 },
      category: {
        ...{ type: 'string', title: 'Category' },
        oneOf: [
          { const: 'travel', title: 'Travel' },
          { const: 'meal', title: 'Meals' },
          { const: 'other', title: 'Other' },
        ],
      },
      day: { type: 'string', format: 'date', title: 'Date', formatMaximum: '2030-12-31' },
      amount: { type: 'number', format: 'money', currency: 'EUR', minimum: 0.01, title: 'Amount' },
      receipt: { type: 'string', format: 'binary', contentMediaType: 'application/pdf', title: 'Receipt' },
      country: { enum: ['AT', 'CH', 'DE', 'ES', 'FR', 'IT', 'PL'], title: 'Country' },
      tags: { type: 'array', title: 'Cost centers', items: { enum: ['Sales', 'Research', 'Events'] } },
      notes: { type: 'string', title: 'Notes', maxLength: 500 },
      payee: {
        type: 'object',
        title: 'Pay to',
        properties: {
          name: { type: 'string' },
          iban: { type: 'string', title: 'IBAN', pattern: '^[A-Z]{2}[0-9A-Z]{13,32}$' },
        },
        required: ['iban'],
      },
      confirmed: { const: true, title: 'The receipt is the original' },
    },
    required: ['purpose', 'category', 'day', 'amount', 'receipt', 'confirmed'],
  },
};

export const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 receipt') };

/** The agent asks this, and answers each reply with "Filed". */
export function asksWith(agent: ScriptedAgent, data: object): void {
  agent.answer(({ received, result, end }) => {
    const { taskId } = received.params.message ?? {};
    const id = taskId ?? randomUUID();
    result(agent03.task(id, 'working'));
    const message = {
      kind: 'message',
      messageId: randomUUID(),
      role: 'agent',
      parts: [{ kind: 'data', data }],
      taskId: id,
    };
    const status = { state: 'input-required', message };
    const asks = { kind: 'status-update', taskId: id, contextId: 'agent-context', status, final: true };
    result(taskId ? agent03.status(id, 'completed', 'Filed') : asks);
    end();
  });
}

/** Opens a conversation in which the agent has asked. */
export async function openForm(page: Page, slug: string): Promise<Locator> {
  await page.goto(`/chat/new?agent=${slug}`);
  await say(page, 'File my expenses');
  await page.waitForURL(/\/chat\/cnv_/);
  return page.getByRole('form', { name: /^Question from / });
}
