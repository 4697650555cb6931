'use client';

import type { ReactNode } from 'react';
import type { Part } from '../../lib/protocol/a2a/core/model';
import type { PartPlace } from '../payments/use-orders';
import { toPartView } from './part-view';
import { PartCard } from './parts/part-card';

export interface ForeignPartProps {
  part: Part;
  place: PartPlace | null;
  agentName: string;
  /** Sends a message in the person's name. */
  onReply?: (text: string) => void;
}

/** A part of an agent's answer on the card that its kind has. */
export function ForeignPart({ part, ...rest }: ForeignPartProps): ReactNode {
  return <PartCard view={toPartView(part)} {...rest} />;
}
