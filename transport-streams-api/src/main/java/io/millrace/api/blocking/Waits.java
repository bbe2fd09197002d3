package io.millrace.api.blocking;

import io.millrace.api.CallException;
import io.millrace.api.Transport;
import io.millrace.loop.BlockingRefusedException;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The waits of this package, and the failures that end them. Any thread. */
final class Waits {
  private Waits() {}

  /**
   * Refuses a simulated node, whose only thread must never wait.
   *
   * @throws IllegalStateException for a simulated node
   */
  static void requireThreads(Transport transport) {
    if (transport.isSimulated()) {
      throw new IllegalStateException(
          "a simulated node runs on one thread, which must never wait: in a simulation use Peer"
              + " and Transport, whose calls and handlers do not wait");
    }
  }

  /**
   * Refuses a thread that drives a worker.
   *
   * @throws IllegalStateException on such a thread
   */
  static void requireMayWait() {
    BlockingRefusedException.check();
  }

  /**
   * Waits for the end of a transfer; an interrupt runs {@code cancel} and ends the wait.
   *
   * @throws CallException if the transfer has failed, or the thread was interrupted
   */
  static <T> T await(CompletableFuture<T> transfer, Runnable cancel) {
    try {
      if (!transfer.isDone()) {
        requireMayWait();
      }
      return transfer.get();
    } catch (BlockingRefusedException e) {
      cancel.run();
      throw e;
    } catch (InterruptedException e) {
      cancel.run();
      throw interrupted();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (CancellationException e) {
      throw cancelled("the application cancelled the transfer");
    }
  }

  /** Opens a stream; the streams of an ended actor system fail as the calls of a closed node. */
  static <T> T open(Supplier<T> stream) {
    try {
      return stream.get();
    } catch (IllegalStateException e) {
      throw closed();
    }
  }

  /** Returns the failure after an interrupt; the thread is interrupted again. */
  static CallException interrupted() {
    Thread.currentThread().interrupt();
    return cancelled("the waiting thread was interrupted");
  }

  static CallException cancelled(String text) {
    return new CallException(CallOutcome.CANCELLED, text);
  }

  static CallException closed() {
    return new CallException(CallOutcome.CLOSED, "the streams of the transport have ended");
  }

  /** Returns the exception for the application: its own failure as it is, without wrappers. */
  static RuntimeException failure(Throwable failure) {
    Throwable cause = failure;
    while (isWrapper(cause)) {
      cause = unwrapped(cause);
    }
    return switch (cause) {
      case RuntimeException known -> known;
      case Error error -> throw error;
      default -> new CompletionException(cause);
    };
  }

  private static boolean isWrapper(Throwable failure) {
    return failure.getCause() != null
        && (failure instanceof CompletionException || failure instanceof ExecutionException);
  }

  private static Throwable unwrapped(Throwable wrapper) {
    @Nullable Throwable cause = wrapper.getCause();
    return cause == null ? wrapper : cause;
  }
}
