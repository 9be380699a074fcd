// Saves, restores, lists and deletes named states of the sandbox.
import { instantOf } from '../../../common/instant.ts';
import { type Handler, ok, refuse } from '../../context.ts';
import { deleteSnapshot, listSnapshots, restoreSnapshot, saveSnapshot } from '../../store/snapshots.ts';

export const handleListSnapshots: Handler<'sandbox.list_snapshots'> = async ({ store }) => {
  const snapshots = await listSnapshots(store);
  return ok({ items: snapshots.map(({ name, savedMs }) => ({ name, saved_at: instantOf(savedMs) })) });
};

export const handleSaveSnapshot: Handler<'sandbox.save_snapshot'> = async (
  { store, facts },
  { params: { name } },
) => {
  await saveSnapshot(store, name, facts.newId());
  return ok({ name });
};

export const handleRestoreSnapshot: Handler<'sandbox.restore_snapshot'> = async (
  { store, clock },
  { params: { name } },
) => {
  if (!(await restoreSnapshot(store, name))) return refuse('snapshot_not_found', { id: name });
  await clock.refresh();
  store.deliveries.wake();
  return ok({ name });
};

export const handleDeleteSnapshot: Handler<'sandbox.delete_snapshot'> = async (
  { store },
  { params: { name } },
) => ((await deleteSnapshot(store, name)) ? ok({ name }) : refuse('snapshot_not_found', { id: name }));
