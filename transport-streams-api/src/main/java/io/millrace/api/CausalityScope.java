package io.millrace.api;

import io.millrace.buffer.DropWatch;
import io.millrace.event.TransportEvents;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.causality.OpenToken;
import io.millrace.transfer.CausalityToken;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Owns tokens that the application ends by hand, such as a token for a write to disk, and calls
 * that end with their owner. When the scope closes, open tokens fail, open calls are cancelled, and
 * critically dependent transfers fail, too. Created by {@link Transport#causalityScope}; any
 * thread.
 *
 * <p>If the application drops a scope without a close, the node closes the scope when the garbage
 * collector finds the object. {@link TransportEvents#onScopeLeaked} reports the leak.
 */
public final class CausalityScope implements AutoCloseable {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final Held held;
  private final ActorSystem<?> system;
  private Runnable endWatch = () -> {};

  private CausalityScope(Held held, ActorSystem<?> system) {
    this.held = held;
    this.system = system;
  }

  static CausalityScope of(
      CausalityGroup group, DropWatch drops, TransportEvents events, ActorSystem<?> system) {
    CausalityScope scope = new CausalityScope(new Held(group, events), system);
    scope.endWatch = drops.watch(scope, scope.held::onDropped);
    return scope;
  }

  /** The tokens and calls of a scope, which outlive the scope object. */
  private static final class Held {
    private final CausalityGroup group;
    private final TransportEvents events;
    private final Map<CausalityToken, OpenToken> tokens = new HashMap<>();
    private final Set<Call<?>> calls = new LinkedHashSet<>();
    private boolean isClosed;

    private Held(CausalityGroup group, TransportEvents events) {
      this.group = group;
      this.events = events;
    }

    private synchronized OpenToken begin() {
      requireOpen();
      OpenToken token = new OpenToken(group);
      token.send();
      tokens.put(token.token(), token);
      return token;
    }

    private synchronized void add(Call<?> call) {
      requireOpen();
      calls.add(call);
    }

    private void requireOpen() {
      if (isClosed) {
        throw new IllegalStateException("the scope was closed");
      }
    }

    private synchronized void remove(Call<?> call) {
      calls.remove(call);
    }

    private void end(CausalityToken token, boolean isSuccess) {
      OpenToken open;
      synchronized (this) {
        open = tokens.remove(token);
      }
      if (open != null) {
        open.end(isSuccess);
      }
    }

    /** Ends all tokens and calls; returns the number of ended tokens and calls. */
    private int close() {
      Map<CausalityToken, OpenToken> openTokens;
      Set<Call<?>> openCalls;
      synchronized (this) {
        isClosed = true;
        openTokens = new HashMap<>(tokens);
        openCalls = new LinkedHashSet<>(calls);
        tokens.clear();
        calls.clear();
      }
      openTokens.values().forEach(token -> token.end(false));
      openCalls.forEach(call -> call.cancel(false));
      return openTokens.size() + openCalls.size();
    }

    private void onDropped() {
      int count = close();
      if (count > 0) {
        events.onScopeLeaked(count);
      }
    }
  }

  /**
   * Creates a token for work that this node does itself. The token ends by {@link #succeed} or
   * {@link #fail}, or fails when the scope closes.
   *
   * @throws IllegalStateException if the scope was closed, or too many tokens wait for a slot
   */
  public CausalityToken begin() {
    return held.begin().token();
  }

  /**
   * Ends a token of this scope with success, because its work is done; does nothing if the token
   * has ended.
   */
  public void succeed(CausalityToken token) {
    held.end(token, true);
  }

  /**
   * Ends a token of this scope with failure, because its work has failed; does nothing if the token
   * has ended.
   */
  public void fail(CausalityToken token) {
    held.end(token, false);
  }

  /**
   * Makes the scope the owner of a call, which the scope cancels when the scope closes; returns the
   * call.
   *
   * @throws IllegalStateException if the scope was closed; the call is cancelled
   */
  public <C extends Call<?>> C own(C call) {
    try {
      held.add(call);
    } catch (IllegalStateException e) {
      call.cancel(false);
      throw e;
    }
    var _ = call.whenComplete((value, failure) -> held.remove(call));
    return call;
  }

  /**
   * Closes the scope when this stage ends, with or without success: for example the stage of {@code
   * watchTermination}.
   */
  public CausalityScope closeWith(CompletionStage<?> stage) {
    var _ = stage.whenComplete((value, failure) -> close());
    return this;
  }

  /** Closes the scope when this actor has stopped, for any cause. */
  public CausalityScope closeWith(ActorRef<?> actor) {
    Behavior<Void> watcher =
        Behaviors.setup(
            context -> {
              context.watch(actor);
              return Behaviors.<Void>receive(Void.class)
                  .onSignal(
                      Terminated.class,
                      signal -> {
                        close();
                        return Behaviors.stopped();
                      })
                  .build();
            });
    system.systemActorOf(watcher, "millrace-scope-" + NUMBERS.incrementAndGet(), Props.empty());
    return this;
  }

  /** Closes the scope: open tokens fail, open calls are cancelled. Idempotent. */
  @Override
  public void close() {
    held.close();
    endWatch.run();
  }
}
