package io.millrace.path.causality;

import io.millrace.transfer.CausalityToken;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A token of this node: a slot of one worker's group. Any thread. */
public final class SlotToken extends CausalityToken {
  private static final VarHandle ID;

  static {
    try {
      ID = MethodHandles.lookup().findVarHandle(SlotToken.class, "id", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final CausalityGroup group;
  private final long node;
  private final long originNode;
  private final long originId;

  /** 0 while it waits for a slot. */
  private volatile long id;

  /** How its transfer ended, if there was no slot for it before. */
  private volatile @Nullable Boolean endedWell;

  private SlotToken(CausalityGroup group, long id, long node, long originNode, long originId) {
    this.group = group;
    this.id = id;
    this.node = node;
    this.originNode = originNode;
    this.originId = originId;
  }

  /** A token that has no slot yet; it begins a chain. */
  static SlotToken unbound(CausalityGroup group, long node) {
    return new SlotToken(group, 0, node, node, 0);
  }

  /** A token that goes on with the chain of another. */
  static SlotToken continuing(CausalityGroup group, long node, long originNode, long originId) {
    return new SlotToken(group, 0, node, originNode, originId);
  }

  /** The token of an id that is known otherwise. */
  static SlotToken of(CausalityGroup group, long id, long node) {
    return new SlotToken(group, id, node, node, id);
  }

  /** Takes a slot unless it has one. */
  boolean bind(long slotId) {
    return ID.compareAndSet(this, 0L, slotId);
  }

  void onEndedWithoutSlot(boolean isSuccess) {
    endedWell = isSuccess;
  }

  @Nullable Boolean endedWell() {
    return endedWell;
  }

  /** Whose slot it is. */
  public CausalityGroup group() {
    return group;
  }

  /** Its id; 0 while it waits for a slot. */
  public long id() {
    return id;
  }

  /** The node where its chain began. */
  public long originNode() {
    return originNode;
  }

  /** The id there. */
  public long originId() {
    return originId == 0 ? id : originId;
  }

  @Override
  public String correlationId() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(originNode) + hex.toHexDigits(originId());
  }

  /** The id as users see it in texts and events. */
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
