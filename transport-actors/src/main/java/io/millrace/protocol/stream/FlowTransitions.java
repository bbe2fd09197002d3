package io.millrace.protocol.stream;

import org.jspecify.annotations.Nullable;

/**
 * The tables behind {@link StreamSender} and {@link StreamReceiver}: the half-close of a flow, as
 * each end sees the close; rules S-6 to S-9.
 *
 * <pre>
 *             END     ALL_SENT    FAIL        SEGMENT_LOST  CANCEL      CLOSE_ACKED  PATH_ENDED
 * OPEN        ENDING  -           CLOSE_SENT  CLOSE_SENT    CLOSE_SENT  -            CLOSED
 * ENDING      -       CLOSE_SENT  CLOSE_SENT  CLOSE_SENT    CLOSE_SENT  -            CLOSED
 * CLOSE_SENT  -       -           -           CLOSE_SENT    CLOSE_SENT  CLOSED       CLOSED
 * CLOSED      -       -           -           -             -           -            -
 *
 *             CLOSE        ALL_ARRIVED  FAIL    CANCEL       PATH_ENDED
 * OPEN        CLOSE_KNOWN  -            CLOSED  CANCEL_SENT  CLOSED
 * CLOSE_KNOWN -            CLOSED       CLOSED  CLOSED       CLOSED
 * CANCEL_SENT CLOSED       -            CLOSED  -            CLOSED
 * CLOSED      -            -            -       -            -
 * </pre>
 *
 * A dash marks an event that changes nothing in the state.
 */
public final class FlowTransitions {
  private static final SendFlowState SE = SendFlowState.ENDING;
  private static final SendFlowState SS = SendFlowState.CLOSE_SENT;
  private static final SendFlowState SX = SendFlowState.CLOSED;
  private static final ReceiveFlowState RK = ReceiveFlowState.CLOSE_KNOWN;
  private static final ReceiveFlowState RS = ReceiveFlowState.CANCEL_SENT;
  private static final ReceiveFlowState RX = ReceiveFlowState.CLOSED;

  // A row for each state, a column for each event, both in the order of their enums.
  private static final @Nullable SendFlowState[][] SEND = {
    {SE, null, SS, SS, SS, null, SX},
    {null, SS, SS, SS, SS, null, SX},
    {null, null, null, SS, SS, SX, SX},
    {null, null, null, null, null, null, null},
  };

  private static final @Nullable ReceiveFlowState[][] RECEIVE = {
    {RK, null, RX, RS, RX},
    {null, RX, RX, RX, RX},
    {RX, null, RX, null, RX},
    {null, null, null, null, null},
  };

  private FlowTransitions() {}

  /** The sender's state that follows, or null if the event changes nothing. */
  public static @Nullable SendFlowState next(SendFlowState from, SendFlowEvent event) {
    return SEND[from.ordinal()][event.ordinal()];
  }

  /** The receiver's state that follows, or null if the event changes nothing. */
  public static @Nullable ReceiveFlowState next(ReceiveFlowState from, ReceiveFlowEvent event) {
    return RECEIVE[from.ordinal()][event.ordinal()];
  }
}
