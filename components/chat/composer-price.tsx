'use client';

import type { ReactNode } from 'react';
import type { ChatAgent } from '../../lib/chat/schema-thread';
import { PriceText } from '../market/listing/price-text';
import { AgentSpendingNote } from '../payments/spending/agent-spending';

export interface ComposerPriceProps {
  agent: ChatAgent;
  signedIn: boolean;
}

/** The possible cost of a message: the agent's price, preceded by the amount that the user can spend there. */
export function ComposerPrice({ agent: { slug, price }, signedIn }: ComposerPriceProps): ReactNode {
  return (
    <>
      {signedIn && price.kind !== 'free' ? <AgentSpendingNote price={price} slug={slug} /> : null}
      <PriceText className="shrink-0" compact price={price} />
    </>
  );
}
