package io.millrace.testkit.internal.net;

/** Why a datagram did not arrive. */
public enum LossReason {
  /** Random loss. */
  RANDOM,
  /** A burst of loss. */
  BURST,
  /** A monitor decided the loss. */
  DIRECTED,
  /** The link is cut. */
  PARTITION,
  /** Longer than the link's MTU. */
  TOO_LARGE,
  /** The flow sends faster than the policer allows. */
  POLICER,
  /** The sender's interface has a full queue. */
  EGRESS_QUEUE,
  /** The link has a full queue. */
  LINK_QUEUE,
  /** The receiver's interface has a full queue. */
  INGRESS_QUEUE,
  /** An interface of the link is dead. */
  NIC_DOWN,
  /** No endpoint listens at the destination. */
  NO_ENDPOINT,
  /** Longer than the endpoint accepts. */
  OVERSIZED,
  /** The endpoint was not polled in time. */
  RECEIVE_RING
}
