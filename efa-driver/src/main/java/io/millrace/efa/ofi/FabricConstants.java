package io.millrace.efa.ofi;

/**
 * Flags and enumerators of libfabric's headers, under the names of the headers; {@code
 * layout_assert.c} compares each constant with the installed headers.
 */
public final class FabricConstants {
  /** Capability: send and receive. */
  public static final long FI_MSG = 1L << 1;

  /** Capability: one-sided access. */
  public static final long FI_RMA = 1L << 2;

  /** Capability and access right: initiate writes. */
  public static final long FI_WRITE = 1L << 9;

  /** Capability, access right and completion flag: receives. */
  public static final long FI_RECV = 1L << 10;

  /** Capability, access right and completion flag: sends. */
  public static final long FI_SEND = 1L << 11;

  /** Binding flag: completions of outgoing operations. */
  public static final long FI_TRANSMIT = FI_SEND;

  /** Capability, access right and completion flag: be written to. */
  public static final long FI_REMOTE_WRITE = 1L << 13;

  /** Operation and completion flag: an immediate value goes with the operation. */
  public static final long FI_REMOTE_CQ_DATA = 1L << 17;

  /** Operation flag: write a completion. */
  public static final long FI_COMPLETION = 1L << 24;

  /** Operation flag: complete only when the bytes are in the target's memory. */
  public static final long FI_DELIVERY_COMPLETE = 1L << 28;

  /** Query flag: node and service name the local side. */
  public static final long FI_SOURCE = 1L << 57;

  /** Mode: operation contexts point to 32 bytes for the provider's use. */
  public static final long FI_CONTEXT = 1L << 59;

  /** Mode: operation contexts point to 64 bytes for the provider's use. */
  public static final long FI_CONTEXT2 = 1L << 52;

  /** Memory mode: local buffers need a descriptor. */
  public static final int FI_MR_LOCAL = 1 << 2;

  /** Memory mode: remote addresses are virtual addresses. */
  public static final int FI_MR_VIRT_ADDR = 1 << 4;

  /** Memory mode: pages must be present. */
  public static final int FI_MR_ALLOCATED = 1 << 5;

  /** Memory mode: the provider chooses keys. */
  public static final int FI_MR_PROV_KEY = 1 << 6;

  /** Memory mode: regions are bound to an endpoint. */
  public static final int FI_MR_ENDPOINT = 1 << 9;

  /** Endpoint type: reliable datagrams. */
  public static final int FI_EP_RDM = 3;

  /** Threading: one thread at a time in a domain. */
  public static final int FI_THREAD_DOMAIN = 3;

  /** Progress: the provider's preference. */
  public static final int FI_PROGRESS_UNSPEC = 0;

  /** Progress: only inside calls. */
  public static final int FI_PROGRESS_MANUAL = 2;

  /** Address vector type: addresses are small numbers. */
  public static final int FI_AV_TABLE = 2;

  /** Completion format: context, flags, length, buffer, immediate value. */
  public static final int FI_CQ_FORMAT_DATA = 3;

  /** Wait object: none; queues are polled. */
  public static final int FI_WAIT_NONE = 0;

  /** Command of {@code fi_control}: enable. */
  public static final int FI_ENABLE = 6;

  /** Level of {@code fi_setopt}: the endpoint. */
  public static final int FI_OPT_ENDPOINT = 0;

  /** Option of EFA endpoints: repeats by the device for a receiver that is not ready. */
  public static final int FI_OPT_EFA_RNR_RETRY = -(0xefa << 16);

  /** Address format: {@code struct sockaddr_in}. */
  public static final int FI_SOCKADDR_IN = 2;

  /** Address format: {@code struct sockaddr_in6}. */
  public static final int FI_SOCKADDR_IN6 = 3;

  /** Address format: a string such as {@code fi_shm://123}. */
  public static final int FI_ADDR_STR = 9;

  /** Address format: 32 bytes of an EFA device. */
  public static final int FI_ADDR_EFA = 12;

  private FabricConstants() {}
}
