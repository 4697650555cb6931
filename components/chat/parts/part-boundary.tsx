'use client';

import { Component, type ReactNode } from 'react';

interface Props {
  /** What is shown when the children cannot be drawn. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps one part that cannot be drawn, or whose code did not load, from taking the conversation with it. */
export class PartBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
