package org.livedelta;


/** An answer does not follow from what is held. Nothing was changed; ask for the whole content. */
public final class ReplicaException extends Exception {
  private static final long serialVersionUID = 1;

  ReplicaException(String message) {
    super(message);
  }
}
