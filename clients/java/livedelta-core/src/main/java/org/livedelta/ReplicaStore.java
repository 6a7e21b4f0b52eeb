package org.livedelta;

import java.io.IOException;
import java.util.Map;

/** Keeps what a feed holds from one start of an app to the next, such as {@code ReplicaFile} of livedelta-file. */
public interface ReplicaStore {
  /**
   * Returns what was kept.
   *
   * @param owner whose content it is: the service, the client, the collections and their views
   * @return what {@code save} was given for this owner, by collection; empty if there is nothing intact
   */
  Map<String, Json> load(String owner);

  /**
   * Keeps all of it in place of what was kept before, or none.
   *
   * @param owner whose content it is
   * @param kept what to keep, by collection; empty to keep nothing
   * @throws IOException if it cannot be written
   */
  void save(String owner, Map<String, Json> kept) throws IOException;
}
