package io.millrace.loop.watch;

/** Somebody watches loops until this is closed. */
@FunctionalInterface
public interface Watch extends AutoCloseable {
  /** Nobody watches. */
  Watch NONE = () -> {};

  /** Ends the watch; idempotent. */
  @Override
  void close();
}
