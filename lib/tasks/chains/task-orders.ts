/** An order of a task: the amount paid less refunds, in minor units, and whether it can still be paid. */
export interface TaskOrder {
  orderId: string;
  taskId: string;
  currency: string;
  paid: number;
  isOpen: boolean;
}

type TaskOrderReader = (userId: string, taskIds: string[]) => Promise<TaskOrder[]>;

let reader: TaskOrderReader | null = null;

/** Sets the reader of orders: code that handles the output of agents cannot reach payments, which sign. */
export function setTaskOrderReader(read: TaskOrderReader): void {
  reader = read;
}

/** The user's orders in these tasks, oldest first. */
export async function readTaskOrders(userId: string, taskIds: string[]): Promise<TaskOrder[]> {
  return (await reader?.(userId, taskIds)) ?? [];
}
