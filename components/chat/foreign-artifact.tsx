'use client';

import { type ReactNode, useMemo } from 'react';
import type { Artifact } from '../../lib/protocol/a2a/core/model';
import { numbered } from './parts/numbered';
import { PartCard } from './parts/part-card';
import { readArtifact } from './parts/read-artifact';

export interface ForeignArtifactProps {
  artifact: Artifact;
  taskId: string;
  agentName: string;
  streaming: boolean;
  /** Sends a message in the person's name, for a button on a card. */
  onReply?: (text: string) => void;
}

/** An artifact with more than prose in it, in the middle of an answer; the pieces of a file stand as one. */
export function ForeignArtifact({ artifact, taskId, streaming, ...rest }: ForeignArtifactProps): ReactNode {
  const { pieces } = useMemo(() => readArtifact(artifact), [artifact]);
  return numbered(pieces).map(({ item, at }) => (
    <PartCard
      key={at}
      place={{ taskId, kind: 'artifact', id: artifact.artifactId, part: item.part }}
      streaming={streaming && at === pieces.length - 1}
      view={item.view}
      {...rest}
    />
  ));
}
