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
 * Owns tokens that the application ends by hand, such as one for a write to disk, and calls that
 * end with whoever made them. When it closes, open tokens fail, open calls are cancelled, and what
 * depends on them critically fails with them. Made by {@link Transport#causalityScope}; any thread.
 *
 * <p>One that is dropped without having been closed is closed when the collector finds it, and
 * {@link TransportEvents#onScopeLeaked} tells.
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

  /** What a scope has, which outlives it. */
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

    /** Ends all; returns how many that were. */
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
   * A token for something that this node does itself; it ends by {@link #succeed} or {@link #fail},
   * or fails when the scope closes.
   *
   * @throws IllegalStateException if the scope was closed, or too many wait for a slot
   */
  public CausalityToken begin() {
    return held.begin().token();
  }

  /** What a token of this scope stands for was done; does nothing if it has ended. */
  public void succeed(CausalityToken token) {
    held.end(token, true);
  }

  /** What a token of this scope stands for has failed; does nothing if it has ended. */
  public void fail(CausalityToken token) {
    held.end(token, false);
  }

  /**
   * A call that is cancelled when the scope closes; returns the call.
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

  /** Closes with this stage, however that ends: that of {@code watchTermination}, for example. */
  public CausalityScope closeWith(CompletionStage<?> stage) {
    var _ = stage.whenComplete((value, failure) -> close());
    return this;
  }

  /** Closes when this actor has stopped, of whatever cause. */
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

  /** Open tokens fail, open calls are cancelled. Idempotent. */
  @Override
  public void close() {
    held.close();
    endWatch.run();
  }
}
