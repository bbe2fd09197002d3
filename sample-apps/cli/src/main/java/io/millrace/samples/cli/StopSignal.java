package io.millrace.samples.cli;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for SIGTERM or SIGINT, so that a command can end its work and its process with an exit code
 * of its own. The signals are reached by reflection, because the compiler warns of their class and
 * no other class exists. Without the class the JVM ends as usual.
 */
final class StopSignal implements AutoCloseable {
  private static final String[] NAMES = {"TERM", "INT"};

  private final CompletableFuture<Void> received = new CompletableFuture<>();
  private final Map<String, Object> before = new LinkedHashMap<>();

  private StopSignal() {}

  /** Takes the signals over until closed. */
  static StopSignal install() {
    StopSignal stop = new StopSignal();
    try {
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object listener =
          Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, stop::onCall);
      for (String name : NAMES) {
        stop.before.put(name, handle(name, listener));
      }
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return stop;
    }
    return stop;
  }

  /** Returns when a signal came; an interrupt of the thread counts as a signal. */
  void await() {
    try {
      received.get();
    } catch (InterruptedException | ExecutionException e) {
      // A program that runs this command inside ends the command by an interrupt; there is nothing
      // left to tell.
      return;
    }
  }

  /**
   * Returns when a signal came or the future is done; an interrupt of the thread counts as a
   * signal.
   */
  void awaitOr(CompletableFuture<?> future) {
    try {
      CompletableFuture.anyOf(future, received).get();
    } catch (InterruptedException e) {
      received.complete(null);
    } catch (ExecutionException e) {
      // The future is done, and its owner sees the outcome.
      return;
    }
  }

  /** Returns whether a signal came. */
  boolean hasCome() {
    return received.isDone();
  }

  /** Waits so long for a signal; returns whether a signal came. */
  boolean comesWithin(long millis) throws InterruptedException {
    try {
      received.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return hasCome();
    }
    return true;
  }

  /**
   * Waits for a future until a signal comes: after a signal the method returns with the future not
   * done.
   *
   * @throws TimeoutException if neither happens in time
   */
  void awaitOr(CompletableFuture<?> future, long seconds)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture.anyOf(future, received).get(seconds, TimeUnit.SECONDS);
  }

  /** Gives the signals back to their former handlers. */
  @Override
  public void close() {
    before.forEach(
        (name, listener) -> {
          try {
            var _ = handle(name, listener);
          } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // A signal taken once can be given back; otherwise the signal stays with this handler.
            received.complete(null);
          }
        });
  }

  private @Nullable Object onCall(Object proxy, Method method, Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    if (method.getDeclaringClass().equals(Object.class)) {
      return method.invoke(this, arguments);
    }
    received.complete(null);
    return null;
  }

  private static Object handle(String name, Object listener) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object wanted = signal.getConstructor(String.class).newInstance(name);
    return signal.getMethod("handle", signal, handler).invoke(null, wanted, listener);
  }
}
