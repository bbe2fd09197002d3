package io.millrace.loop.watch;

/** Somebody watches loops until this is closed. */
@FunctionalInterface
public interface Watch extends AutoCloseable {
  /** Nobody watches. */
  Watch NONE = () -> {};

  /** Ends it; idempotent. */
  @Override
  void close();
}
