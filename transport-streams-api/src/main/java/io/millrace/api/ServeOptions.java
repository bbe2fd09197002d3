package io.millrace.api;

import io.millrace.transfer.Protection;
import java.util.Objects;

/**
 * The options with which a node serves a route.
 *
 * @param acceptor accepts or refuses a request by its headers, ahead of the handler; not asked for
 *     bulk transfers, where the receiver or provider itself sees the headers first
 * @param protection of the payload of answers to bulk reads; all other answers are sealed
 */
public record ServeOptions(RequestAcceptor acceptor, Protection protection) {
  /** The options that accept every request and seal every answer. */
  public static final ServeOptions DEFAULTS =
      new ServeOptions(RequestAcceptor.ALL, Protection.SEALED);

  /** Checks that no argument is null. */
  public ServeOptions {
    Objects.requireNonNull(acceptor, "acceptor");
    Objects.requireNonNull(protection, "protection");
  }

  /** Returns the same options with another acceptor. */
  public ServeOptions withAcceptor(RequestAcceptor acceptor) {
    return new ServeOptions(acceptor, protection);
  }

  /** Returns the same options with another protection for the answers to bulk reads. */
  public ServeOptions withProtection(Protection protection) {
    return new ServeOptions(acceptor, protection);
  }
}
