'use client';

import { Component, type ReactNode } from 'react';

/** Unformatted text, with line breaks and spaces. */
export function PlainText({ text }: { text: string }): ReactNode {
  return (
    <p className="break-words whitespace-pre-wrap [font-variant-ligatures:none]" dir="auto">
      {text}
    </p>
  );
}

interface Props {
  /** Displayed if the children fail to render. */
  fallback: ReactNode;
  children: ReactNode;
}

/** An error boundary for one part that fails to render, or whose chunk failed to load. */
export class PartBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
