package io.millrace.path.causality;

import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The dependencies of a transfer, and the receiver of the transfer's token. Immutable. */
public final class Dependencies {
  /** A transfer without dependencies, with a token wanted by nobody. */
  public static final Dependencies NONE = new Dependencies(false, null, List.of(), token -> {});

  private final boolean isTokenWanted;
  private final @Nullable Single singles;
  private final List<Quorum> quorums;
  private final Consumer<? super CausalityToken> receiver;

  /**
   * The latest dependency, with the earlier dependencies behind: an added dependency copies
   * nothing.
   */
  private record Single(SlotToken token, DependencyKind kind, @Nullable Single before) {}

  private record Quorum(int needed, List<SlotToken> tokens, DependencyKind kind) {
    static Quorum of(int needed, List<? extends CausalityToken> tokens, DependencyKind kind) {
      requireQuorum(needed, Objects.requireNonNull(tokens, "tokens").size());
      return new Quorum(needed, tokens.stream().map(Dependencies::ours).toList(), kind);
    }
  }

  private Dependencies(
      boolean isTokenWanted,
      @Nullable Single singles,
      List<Quorum> quorums,
      Consumer<? super CausalityToken> receiver) {
    this.isTokenWanted = isTokenWanted;
    this.singles = singles;
    this.quorums = quorums;
    this.receiver = receiver;
  }

  /**
   * The same, and {@code told} hears of the token of each transfer, before the submission of the
   * transfer.
   */
  public Dependencies withToken(Consumer<? super CausalityToken> told) {
    return new Dependencies(true, singles, quorums, told);
  }

  /** The same with one more receiver of tokens, for transfers with tokens. */
  public Dependencies telling(Consumer<? super CausalityToken> told) {
    Consumer<? super CausalityToken> first = receiver;
    return new Dependencies(
        isTokenWanted,
        singles,
        quorums,
        token -> {
          told.accept(token);
          first.accept(token);
        });
  }

  /** All tokens of dependencies, members of quorums among them. */
  public List<CausalityToken> tokens() {
    List<CausalityToken> tokens = new ArrayList<>();
    for (Single single = singles; single != null; single = single.before()) {
      tokens.add(single.token());
    }
    Collections.reverse(tokens);
    quorums.forEach(quorum -> tokens.addAll(quorum.tokens()));
    return tokens;
  }

  /**
   * The same with one more dependency.
   *
   * @throws IllegalArgumentException if the token is from another engine
   */
  public Dependencies after(CausalityToken token, DependencyKind kind) {
    return new Dependencies(
        isTokenWanted, new Single(ours(token), kind, singles), quorums, receiver);
  }

  /**
   * The same with a quorum: {@code needed} of these tokens.
   *
   * @throws IllegalArgumentException if the list has fewer than {@code needed} tokens, or a token
   *     is from another engine
   */
  public Dependencies afterQuorum(
      int needed, List<? extends CausalityToken> tokens, DependencyKind kind) {
    return new Dependencies(
        isTokenWanted, singles, plus(quorums, Quorum.of(needed, tokens, kind)), receiver);
  }

  /**
   * Checks that a quorum of {@code needed} of {@code count} transfers is possible.
   *
   * @throws IllegalArgumentException if the quorum is impossible
   */
  public static void requireQuorum(int needed, int count) {
    if (needed < 1 || needed > count) {
      throw new IllegalArgumentException(
          "a quorum of " + needed + " is not within 1 to " + count + ", the number of tokens");
    }
  }

  private static SlotToken ours(CausalityToken token) {
    if (token instanceof SlotToken own) {
      return own;
    }
    throw new IllegalArgumentException("the token is not one of a transport");
  }

  private static List<Quorum> plus(List<Quorum> list, Quorum added) {
    List<Quorum> all = new ArrayList<>(list);
    all.add(added);
    return List.copyOf(all);
  }

  /** Whether a transfer with these dependencies costs no more than a transfer without causality. */
  public boolean isEmpty() {
    return !isTokenWanted && singles == null && quorums.isEmpty();
  }

  /** The groups of all dependencies: single dependencies first, the latest at the front. */
  public List<CausalityGroup> groups() {
    List<CausalityGroup> groups = new ArrayList<>();
    for (Single single = singles; single != null; single = single.before()) {
      groups.add(single.token().group());
    }
    quorums.forEach(quorum -> quorum.tokens().forEach(token -> groups.add(token.group())));
    return groups;
  }

  /**
   * Makes a call wait for all these dependencies; before the submission of the call.
   *
   * @return the call's part in causality, or null without causality
   * @throws IllegalArgumentException if a token is of another node
   */
  public @Nullable CausalCall attach(CausalCall.Carrier call, CausalityGroup group) {
    if (isEmpty()) {
      return null;
    }
    List<SlotToken> others = new ArrayList<>();
    List<CausalEdge> edges = new ArrayList<>();
    List<CausalJoin> joins = new ArrayList<>();
    for (Single single = singles; single != null; single = single.before()) {
      edges.add(new CausalEdge(checked(single.token(), group), single.kind()));
      others.add(single.token());
    }
    Collections.reverse(edges);
    Collections.reverse(others);
    for (Quorum quorum : quorums) {
      CausalJoin join = join(quorum, group);
      joins.add(join);
      others.addAll(quorum.tokens());
      DependencyKind kind =
          quorum.kind().isCascading()
              ? DependencyKind.RESPONSE_CRITICAL
              : DependencyKind.RESPONSE_OPTIONAL;
      edges.add(new CausalEdge(join.token(), kind));
    }
    SlotToken token = group.newToken(others.isEmpty() ? null : others.getFirst());
    CausalEdge[] all = edges.toArray(CausalEdge[]::new);
    receiver.accept(token);
    return new CausalCall(call, token, all, List.copyOf(joins), List.copyOf(others));
  }

  private static CausalJoin join(Quorum quorum, CausalityGroup group) {
    CausalEdge[] edges =
        quorum.tokens().stream()
            .map(token -> new CausalEdge(checked(token, group), quorum.kind()))
            .toArray(CausalEdge[]::new);
    return new CausalJoin(group.newToken(), edges, quorum.needed());
  }

  private static SlotToken checked(SlotToken token, CausalityGroup group) {
    if (!group.isOfThisNode(token)) {
      throw new IllegalArgumentException(
          token + " is of another node; a handler has a token of its own node for what it serves");
    }
    return token;
  }

  /**
   * A token of {@code needed} of these tokens; the token ends with the decision of the quorum. Any
   * thread may call this.
   *
   * @throws IllegalArgumentException as {@link #afterQuorum}
   * @throws IllegalStateException if too many transfers wait for slots
   */
  public static SlotToken quorum(
      int needed, List<? extends CausalityToken> tokens, CausalityGroup group) {
    Quorum quorum = Quorum.of(needed, tokens, DependencyKind.RESPONSE_CRITICAL);
    CausalJoin join = join(quorum, group);
    String problem =
        group.bindAfter(
            quorum.tokens(), List.of(join.token()), join::beginSoon, late -> join.endUnknown());
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
    return join.token();
  }
}
