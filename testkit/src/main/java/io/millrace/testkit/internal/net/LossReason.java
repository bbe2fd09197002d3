package io.millrace.testkit.internal.net;

/** Why a datagram did not arrive. */
public enum LossReason {
  /** Random loss. */
  RANDOM,
  /** A burst of loss. */
  BURST,
  /** A monitor wanted it. */
  DIRECTED,
  /** The link is cut. */
  PARTITION,
  /** Longer than the link's MTU. */
  TOO_LARGE,
  /** Its flow sends faster than the policer allows. */
  POLICER,
  /** The sender's interface has a full queue. */
  EGRESS_QUEUE,
  /** The link has a full queue. */
  LINK_QUEUE,
  /** The receiver's interface has a full queue. */
  INGRESS_QUEUE,
  /** One of the interfaces is dead. */
  NIC_DOWN,
  /** Nobody listens there. */
  NO_ENDPOINT,
  /** Longer than the endpoint takes. */
  OVERSIZED,
  /** The endpoint was not polled in time. */
  RECEIVE_RING
}
