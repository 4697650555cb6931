'use client';

import type { ReactNode } from 'react';
import type { Part } from '../../lib/protocol/a2a/core/model';
import type { PartRef } from '../payments/offers/use-orders';
import { PartCard } from './parts/part-card';
import { toPartView } from './parts/part-view';

export interface RichPartProps {
  part: Part;
  partRef: PartRef | null;
  agentName: string;
  /** Sends a message in the user's name. */
  onReply?: (text: string) => void;
}

/** A part of an agent's answer, on the card for its kind. */
export function RichPart({ part, ...rest }: RichPartProps): ReactNode {
  return <PartCard view={toPartView(part)} {...rest} />;
}
