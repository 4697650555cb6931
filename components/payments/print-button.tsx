'use client';

import type { ReactNode } from 'react';
import { Button } from '../ui/button';

/** Prints the page; what is no part of the paper is hidden by its own style. */
export function PrintButton(): ReactNode {
  return (
    <Button className="print:hidden" onClick={() => window.print()}>
      Print
    </Button>
  );
}
