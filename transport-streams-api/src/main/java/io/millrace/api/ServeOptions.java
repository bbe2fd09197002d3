package io.millrace.api;

import io.millrace.transfer.Protection;
import java.util.Objects;

/**
 * How a route is served.
 *
 * @param acceptor says by the headers of a request whether it is wanted, ahead of the handler; not
 *     asked of bulk, where the receiver or provider itself sees the headers first
 * @param protection of the payload that bulk reads are answered with; all other answers are sealed
 */
public record ServeOptions(RequestAcceptor acceptor, Protection protection) {
  /** Every request is wanted, and answers are sealed. */
  public static final ServeOptions DEFAULTS =
      new ServeOptions(RequestAcceptor.ALL, Protection.SEALED);

  /** Nothing may be null. */
  public ServeOptions {
    Objects.requireNonNull(acceptor, "acceptor");
    Objects.requireNonNull(protection, "protection");
  }

  /** The same with another acceptor. */
  public ServeOptions withAcceptor(RequestAcceptor acceptor) {
    return new ServeOptions(acceptor, protection);
  }

  /** The same with another protection of what bulk reads are answered with. */
  public ServeOptions withProtection(Protection protection) {
    return new ServeOptions(acceptor, protection);
  }
}
