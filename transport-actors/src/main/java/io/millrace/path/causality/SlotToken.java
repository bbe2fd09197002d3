package io.millrace.path.causality;

import io.millrace.transfer.CausalityToken;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A token of this node: a slot of one worker's group. For any thread. */
public final class SlotToken extends CausalityToken {
  private static final VarHandle ID;

  static {
    try {
      ID = MethodHandles.lookup().findVarHandle(SlotToken.class, "id", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int MOST_CHARACTERS = 256;

  private final CausalityGroup group;
  private final long node;
  private final long originNode;
  private final long originId;

  /** The id of the slot; 0 during the wait for a slot. */
  private volatile long id;

  /** The outcome of the token's transfer, if the transfer ended without a slot. */
  private volatile @Nullable Boolean endedWell;

  /** The failure of the transfer at the root; empty if unknown. */
  private volatile String reason = "";

  private SlotToken(CausalityGroup group, long id, long node, long originNode, long originId) {
    this.group = group;
    this.id = id;
    this.node = node;
    this.originNode = originNode;
    this.originId = originId;
  }

  /** A token without a slot so far, at the beginning of a chain. */
  static SlotToken unbound(CausalityGroup group, long node) {
    return new SlotToken(group, 0, node, node, 0);
  }

  /** A token continuing the chain of another token. */
  static SlotToken continuing(CausalityGroup group, long node, long originNode, long originId) {
    return new SlotToken(group, 0, node, originNode, originId);
  }

  /** The token of an id known from elsewhere. */
  static SlotToken of(CausalityGroup group, long id, long node) {
    return new SlotToken(group, id, node, node, id);
  }

  /** Takes a slot unless the token has a slot. */
  boolean bind(long slotId) {
    return ID.compareAndSet(this, 0L, slotId);
  }

  void onEndedWithoutSlot(boolean isSuccess) {
    endedWell = isSuccess;
  }

  @Nullable Boolean endedWell() {
    return endedWell;
  }

  /**
   * Keeps a reason for the failure of the token's transfer, the first reason unless two threads
   * tell a reason at the same moment; a long reason is cut. Any thread.
   */
  public void failedBecause(String text) {
    if (reason.isEmpty()) {
      reason = text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }
  }

  /** The failure of the token's transfer, or of the transfer at the root; empty if unknown. */
  String reason() {
    return reason;
  }

  /** The group of the slot. */
  public CausalityGroup group() {
    return group;
  }

  /** The id of the token; 0 during the wait for a slot. */
  public long id() {
    return id;
  }

  /** The node at the beginning of the token's chain. */
  public long originNode() {
    return originNode;
  }

  /** The id of the chain's first token at its node. */
  public long originId() {
    return originId == 0 ? id : originId;
  }

  @Override
  public String correlationId() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(originNode) + hex.toHexDigits(originId());
  }

  /** The id in the form of texts and events for users. */
  public static String text(long id) {
    return HexFormat.of().toHexDigits(id);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof SlotToken token && id != 0 && token.id == id && token.node == node;
  }

  @Override
  public int hashCode() {
    return (int) node;
  }

  @Override
  public String toString() {
    return "CausalityToken[" + text(id) + "]";
  }
}
