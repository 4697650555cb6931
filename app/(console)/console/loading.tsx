import type { ReactNode } from 'react';
import { Skeleton } from '@/components/ui/skeleton';

export default function ConsoleLoading(): ReactNode {
  return (
    <div className="space-y-4" role="status">
      <span className="sr-only">Loading the console</span>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  );
}
