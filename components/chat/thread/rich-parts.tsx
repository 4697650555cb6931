'use client';

import { type ReactNode, useMemo } from 'react';
import type { Artifact, Part } from '../../../lib/protocol/a2a/core/model';
import type { PartRef } from '../../payments/offers/use-orders';
import { withIndex } from '../../ui/display/untrusted-text';
import { readArtifact } from '../artifacts/read-artifact';
import { PartCard } from '../parts/part-card';
import { toPartView } from '../parts/part-view';
import type { CardReply } from '../state/message-content';

export interface RichPartProps {
  part: Part;
  partRef: PartRef | null;
  agentName: string;
  /** Sends a message on behalf of the user. */
  onReply?: (reply: CardReply) => void;
}

/** A part of an agent's answer, on the card for its kind. */
export function RichPart({ part, ...rest }: RichPartProps): ReactNode {
  return <PartCard view={toPartView(part, rest.partRef?.kind === 'message')} {...rest} />;
}

export interface RichArtifactProps {
  artifact: Artifact;
  taskId: string;
  agentName: string;
  streaming: boolean;
  /** Sends a message on behalf of the user, for a button on a card. */
  onReply?: (reply: CardReply) => void;
}

/** An artifact that is more than prose, inline in an answer. The chunks of a file are displayed as one file. */
export function RichArtifact({ artifact, taskId, streaming, ...rest }: RichArtifactProps): ReactNode {
  const { pieces } = useMemo(() => readArtifact(artifact), [artifact]);
  return withIndex(pieces).map(({ item, index }) => (
    <PartCard
      key={index}
      partRef={{ taskId, kind: 'artifact', id: artifact.artifactId, part: item.part }}
      streaming={streaming && index === pieces.length - 1}
      view={item.view}
      {...rest}
    />
  ));
}
