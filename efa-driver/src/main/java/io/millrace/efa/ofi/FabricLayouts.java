package io.millrace.efa.ofi;

/**
 * Byte offsets of the libfabric structures that the driver reads or writes, one class per C
 * structure, one constant per field, {@code SIZEOF} for the whole.
 *
 * <p>The offsets hold for LP64 systems and for libfabric 1.17 up to 2.6. {@code layout_assert.c}
 * compares every constant with the installed headers: a name here is the header's name in capitals.
 * Structures that grow between versions have no {@code SIZEOF}: the library allocates such
 * structures.
 */
public final class FabricLayouts {
  private FabricLayouts() {}

  /** {@code struct fi_info}. */
  public static final class FiInfo {
    static final int NEXT = 0;
    static final int CAPS = 8;
    static final int MODE = 16;
    static final int ADDR_FORMAT = 24;
    static final int TX_ATTR = 72;
    static final int RX_ATTR = 80;
    static final int EP_ATTR = 88;
    static final int DOMAIN_ATTR = 96;
    static final int FABRIC_ATTR = 104;
    static final int NIC = 112;

    private FiInfo() {}
  }

  /** {@code struct fi_tx_attr}. */
  public static final class FiTxAttr {
    static final int OP_FLAGS = 16;
    static final int INJECT_SIZE = 40;
    static final int SIZE = 48;

    private FiTxAttr() {}
  }

  /** {@code struct fi_rx_attr}. */
  public static final class FiRxAttr {
    static final int SIZE = 48;

    private FiRxAttr() {}
  }

  /** {@code struct fi_ep_attr}. */
  public static final class FiEpAttr {
    static final int TYPE = 0;
    static final int MAX_MSG_SIZE = 16;

    private FiEpAttr() {}
  }

  /** {@code struct fi_domain_attr}. */
  public static final class FiDomainAttr {
    static final int THREADING = 16;
    static final int CONTROL_PROGRESS = 20;
    static final int DATA_PROGRESS = 24;
    static final int MR_MODE = 36;
    static final int MR_KEY_SIZE = 40;
    static final int CQ_DATA_SIZE = 48;

    private FiDomainAttr() {}
  }

  /** {@code struct fi_fabric_attr}. */
  public static final class FiFabricAttr {
    static final int NAME = 8;
    static final int PROV_NAME = 16;

    private FiFabricAttr() {}
  }

  /** {@code struct fid_nic}. */
  public static final class FidNic {
    static final int LINK_ATTR = 40;

    private FidNic() {}
  }

  /** {@code struct fi_link_attr}. */
  public static final class FiLinkAttr {
    static final int MTU = 8;

    private FiLinkAttr() {}
  }

  /** {@code struct fid}, the beginning of every object. */
  public static final class Fid {
    static final int OPS = 16;

    private Fid() {}
  }

  /** {@code struct fi_ops}. */
  public static final class FiOps {
    static final int SIZE = 0;
    static final int CLOSE = 8;
    static final int BIND = 16;
    static final int CONTROL = 24;

    private FiOps() {}
  }

  /** {@code struct fid_fabric}. */
  public static final class FidFabric {
    static final int OPS = 24;

    private FidFabric() {}
  }

  /** {@code struct fi_ops_fabric}. */
  public static final class FiOpsFabric {
    static final int DOMAIN = 8;
    static final int EQ_OPEN = 24;

    private FiOpsFabric() {}
  }

  /** {@code struct fid_domain}. */
  public static final class FidDomain {
    static final int OPS = 24;
    static final int MR = 32;

    private FidDomain() {}
  }

  /** {@code struct fi_ops_domain}. */
  public static final class FiOpsDomain {
    static final int AV_OPEN = 8;
    static final int CQ_OPEN = 16;
    static final int ENDPOINT = 24;

    private FiOpsDomain() {}
  }

  /** {@code struct fi_ops_mr}. */
  public static final class FiOpsMr {
    static final int REG = 8;

    private FiOpsMr() {}
  }

  /** {@code struct fid_mr}. */
  public static final class FidMr {
    static final int MEM_DESC = 24;
    static final int KEY = 32;

    private FidMr() {}
  }

  /** {@code struct fid_av}. */
  public static final class FidAv {
    static final int OPS = 24;

    private FidAv() {}
  }

  /** {@code struct fi_ops_av}. */
  public static final class FiOpsAv {
    static final int INSERT = 8;
    static final int REMOVE = 32;

    private FiOpsAv() {}
  }

  /** {@code struct fi_av_attr}. */
  public static final class FiAvAttr {
    static final int TYPE = 0;
    static final int COUNT = 8;
    static final int SIZEOF = 48;

    private FiAvAttr() {}
  }

  /** {@code struct fid_cq}. */
  public static final class FidCq {
    static final int OPS = 24;

    private FidCq() {}
  }

  /** {@code struct fi_ops_cq}. */
  public static final class FiOpsCq {
    static final int READ = 8;
    static final int READERR = 24;

    private FiOpsCq() {}
  }

  /** {@code struct fi_cq_attr}. */
  public static final class FiCqAttr {
    static final int SIZE = 0;
    static final int FORMAT = 16;
    static final int WAIT_OBJ = 20;
    static final int SIZEOF = 40;

    private FiCqAttr() {}
  }

  /** {@code struct fi_cq_data_entry}. */
  public static final class FiCqDataEntry {
    static final int OP_CONTEXT = 0;
    static final int FLAGS = 8;
    static final int LEN = 16;
    static final int DATA = 32;
    static final int SIZEOF = 40;

    private FiCqDataEntry() {}
  }

  /** {@code struct fi_cq_err_entry}. */
  public static final class FiCqErrEntry {
    static final int OP_CONTEXT = 0;
    static final int FLAGS = 8;
    static final int ERR = 56;
    static final int PROV_ERRNO = 60;

    private FiCqErrEntry() {}
  }

  /** {@code struct fid_eq}. */
  public static final class FidEq {
    static final int OPS = 24;

    private FidEq() {}
  }

  /** {@code struct fi_ops_eq}. */
  public static final class FiOpsEq {
    static final int READ = 8;
    static final int READERR = 16;

    private FiOpsEq() {}
  }

  /** {@code struct fi_eq_attr}. */
  public static final class FiEqAttr {
    static final int WAIT_OBJ = 16;
    static final int SIZEOF = 32;

    private FiEqAttr() {}
  }

  /** {@code struct fid_ep}. */
  public static final class FidEp {
    static final int OPS = 24;
    static final int CM = 32;
    static final int MSG = 40;
    static final int RMA = 48;

    private FidEp() {}
  }

  /** {@code struct fi_ops_ep}. */
  public static final class FiOpsEp {
    static final int SETOPT = 24;

    private FiOpsEp() {}
  }

  /** {@code struct fi_ops_cm}. */
  public static final class FiOpsCm {
    static final int GETNAME = 16;

    private FiOpsCm() {}
  }

  /** {@code struct fi_ops_msg}. */
  public static final class FiOpsMsg {
    static final int RECV = 8;
    static final int SEND = 32;

    private FiOpsMsg() {}
  }

  /** {@code struct fi_ops_rma}. */
  public static final class FiOpsRma {
    static final int WRITEMSG = 48;

    private FiOpsRma() {}
  }

  /** {@code struct fi_msg_rma}. */
  public static final class FiMsgRma {
    static final int MSG_IOV = 0;
    static final int DESC = 8;
    static final int IOV_COUNT = 16;
    static final int ADDR = 24;
    static final int RMA_IOV = 32;
    static final int RMA_IOV_COUNT = 40;
    static final int CONTEXT = 48;
    static final int DATA = 56;
    static final int SIZEOF = 64;

    private FiMsgRma() {}
  }

  /** {@code struct fi_rma_iov}. */
  public static final class FiRmaIov {
    static final int ADDR = 0;
    static final int LEN = 8;
    static final int KEY = 16;
    static final int SIZEOF = 24;

    private FiRmaIov() {}
  }

  /** {@code struct iovec}. */
  public static final class Iovec {
    static final int IOV_BASE = 0;
    static final int IOV_LEN = 8;
    static final int SIZEOF = 16;

    private Iovec() {}
  }

  /**
   * {@code struct fi_context2}: the bytes for the provider's use while an operation is under way.
   */
  public static final class FiContext2 {
    /** Bytes of one context. */
    public static final int SIZEOF = 64;

    private FiContext2() {}
  }
}
